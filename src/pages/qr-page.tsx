import type { Messages } from './messages/choose.ts'
import { qrCode } from './qr-code.ts'

interface QrPageProps {
  messages: Messages
  clientName: string | undefined
  provider: string
  status: 'new' | 'scanned' | 'expired'
  link: string
  /** Where to get another code. */
  again: string
}

/** A code for the platform's app on a phone, for screens without a keyboard. It asks by itself how far it is. */
export function QrPage({ messages, clientName, provider, status, link, again }: QrPageProps) {
  const { title, lead, scanned, expired, another, beware } = messages.qr
  const { title: signIn, titleFor } = messages.signIn
  return (
    <>
      <h1>{clientName ? titleFor(clientName) : signIn}</h1>
      <p id="status">
        {status === 'new' ? lead(provider) : status === 'scanned' ? scanned : expired}
      </p>
      {status === 'new' && <QrCode text={link} label={title} />}
      {status === 'expired' && (
        <ul>
          <li>
            <a class="button main" href={again}>
              {another}
            </a>
          </li>
        </ul>
      )}
      <p class="soft">{beware}</p>
    </>
  )
}

/** Dark on light, whatever the colours of the page: phones read nothing else. */
function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qrCode(text)
  const edge = rows.length + 8
  const path = rows.map((row, y) =>
    strokes(row)
      .map(([x, length]) => `M${x + 4} ${y + 4.5}h${length}`)
      .join(''),
  )
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${edge} ${edge}`}>
      <path fill="#fff" d={`M0 0h${edge}v${edge}H0`} />
      <path stroke="#000" d={path.join('')} />
    </svg>
  )
}

/** Where the dark squares of a row begin, and how many stand side by side. */
function strokes(row: readonly boolean[]): [x: number, length: number][] {
  const text = row.map((isDark) => (isDark ? 'x' : ' ')).join('')
  return Array.from(text.matchAll(/x+/g), ({ index, 0: run }) => [index, run.length])
}
