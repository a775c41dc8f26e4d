import type { Messages } from '../messages/messages.ts'

interface ContinuePageProps {
  messages: Messages
  href: string
  /** The host that the user continues at, if it is not this service. */
  host: string | undefined
}

/**
 * Ends a form post. The response has a `Refresh` header, so browsers continue immediately; the link
 * is for those that do not.
 */
export function ContinuePage({ messages, href, host }: ContinuePageProps) {
  return (
    <>
      <p>{messages.t('continuing.lead')}</p>
      <a class="primary" id="continue" href={href}>
        {host ? messages.t('signedIn.continueTo', { app: host }) : messages.t('signedIn.continue')}
      </a>
    </>
  )
}
