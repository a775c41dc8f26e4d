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
      {status === 'new' && <img class="qr" alt={title} src={qrCode(link)} />}
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
