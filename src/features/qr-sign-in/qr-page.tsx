import { qrCode } from '../../define-feature/qr-code.ts'
import type { QrMessages } from './texts.ts'

/** Shown below the buttons of the sign-in page. */
export function QrLink({
  messages,
  provider,
  href,
}: Pick<QrPageProps, 'messages' | 'provider'> & { href: string }) {
  return (
    <a class="scan" href={href}>
      {messages.t('signIn.signInWithQrCode', { provider })}
    </a>
  )
}

interface QrPageProps {
  messages: QrMessages
  /** The provider's display name. */
  provider: string
  status: 'new' | 'scanned' | 'expired'
  /** The link that the QR code contains. */
  link: string
  /** The phone of the stand-in, which has no camera. */
  standInPhone?: string | undefined
  /** Starts again with a new code. */
  newCodeUrl: string
  /** The sign-in page. */
  otherWaysUrl: string
}

/**
 * Shows a code for the provider's app on a phone. The response has a `Refresh` header, so the page
 * follows the status without scripts.
 */
export function QrPage(props: QrPageProps) {
  const { messages, provider, status, link, standInPhone, newCodeUrl, otherWaysUrl } = props
  const statusTexts = {
    new: messages.t('qr.lead', { provider }),
    scanned: messages.t('qr.scanned'),
    expired: messages.t('qr.expired'),
  }
  return (
    <>
      <p id="status">{statusTexts[status]}</p>
      {status === 'new' && (
        <>
          <img
            class="qr"
            alt={messages.t('signIn.signInWithQrCode', { provider })}
            src={qrCode(link)}
          />
          <p class="note">{messages.t('qr.warning')}</p>
          {standInPhone && (
            <p class="note" lang="en">
              Development:{' '}
              <a
                href={`${standInPhone}?${new URLSearchParams({ link })}`}
                target="_blank"
                rel="noopener"
              >
                scan it with the stand-in’s phone
              </a>
            </p>
          )}
        </>
      )}
      {status === 'expired' && (
        <a class="primary" href={newCodeUrl}>
          {messages.t('qr.newCode')}
        </a>
      )}
      <a href={otherWaysUrl}>{messages.t('actions.chooseProvider')}</a>
    </>
  )
}
