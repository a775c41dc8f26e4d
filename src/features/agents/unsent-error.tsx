import type { AppContext } from '../../core/http/app-env.ts'
import { withTexts } from '../../core/messages/messages.ts'
import type { AuthorizationError } from '../../core/oidc/authorization-error.ts'
import { responseUrl } from '../../core/oidc/authorization-response.tsx'
import { messagesFor, respondWithPage, wantsPage } from '../../core/pages/page-response.tsx'
import { type Client, clientSince } from '../../core/registration-schemas/clients.ts'
import { readSessionCookie } from '../../core/session/session-cookie.ts'
import { callUserObject } from '../../core/users/user-object.ts'
import type { AgentMessages, en } from './texts.ts'

/**
 * Responds with a page that informs the user about the error of an unregistered client that they
 * have not allowed anything. A link on it returns the error to the client. See
 * docs/decisions/0088-errors-of-unregistered-clients-are-shown-first.md.
 */
export async function unsentErrorResponse(
  c: AppContext,
  { code, message, destination }: AuthorizationError,
): Promise<Response | undefined> {
  const { client, isChosenByUser } = destination
  if (!client.unregistered || isChosenByUser || (await isAllowed(c, client))) return undefined
  const reference = c.get('requestId')
  const error = { error: code, error_description: message }
  if (!wantsPage(c)) return c.json({ ...error, reference }, 400)
  const messages = withTexts<typeof en>(await messagesFor(c))
  return respondWithPage(
    c,
    <UnsentErrorPage
      messages={messages}
      host={new URL(destination.redirectUri).host}
      returnUrl={responseUrl(c.get('config'), destination, error)}
      error={error}
      reference={reference}
    />,
    { title: messages.t('unsentError.title'), status: 400, outcome: 'failed' },
  )
}

/** Whether the signed-in user has allowed a client something, as it is now. */
async function isAllowed(c: AppContext, client: Client): Promise<boolean> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return false
  return callUserObject(c.env, cookie.userId, (object) =>
    object.hasConsent(cookie.sessionKey, client.client_id, clientSince(client)),
  )
}

interface UnsentErrorPageProps {
  messages: AgentMessages
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
