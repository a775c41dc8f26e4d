import type { Messages } from '../messages/messages.ts'

interface UnsentErrorPageProps {
  messages: Messages
  /** The host of the redirect URI. */
  host: string
  /** The redirect URI, with the error. */
  returnUrl: string
  error: { error: string; error_description: string }
  reference: string
}

/**
 * The request of an app has failed that nobody has registered and that the user has not allowed
 * anything. The user decides whether to go back to it.
 */
export function UnsentErrorPage(props: UnsentErrorPageProps) {
  const { messages, host, returnUrl, error, reference } = props
  return (
    <>
      <p>{messages.t('unsentError.text', { host })}</p>
      <a id="continue" href={returnUrl}>
        {messages.t('actions.goBackTo', { app: host })}
      </a>
      <details class="note">
        <summary>{messages.t('errorPage.details')}</summary>
        <dl class="report">
          <dt>{messages.t('errorPage.code')}</dt>
          <dd>{error.error}</dd>
          <dd lang="en" dir="ltr">
            {error.error_description}
          </dd>
          <dt>{messages.t('errorPage.reference')}</dt>
          <dd id="reference">{reference}</dd>
        </dl>
      </details>
    </>
  )
}
