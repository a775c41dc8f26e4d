import type { Messages } from './messages/choose.ts'
import { qrCode } from './qr-code.ts'

interface QrPageProps {
  messages: Messages
  provider: string
  status: 'new' | 'scanned' | 'expired'
  link: string
  /** Where to get another code. */
  again: string
}

/** A code for the platform's app on a phone, for screens without a keyboard. It asks by itself how far it is. */
export function QrPage({ messages, provider, status, link, again }: QrPageProps) {
  const { lead, beware } = messages.qr
  return (
    <>
      <p id="status">{status === 'new' ? lead(provider) : messages.qr[status]}</p>
      {status === 'new' && <img class="qr" alt={messages.signIn.scan} src={qrCode(link)} />}
      {status === 'expired' && (
        <a class="main" href={again}>
          {messages.error.tryAgain}
        </a>
      )}
      <p class="soft">{beware}</p>
    </>
  )
}
