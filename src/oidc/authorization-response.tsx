import type { AppContext } from '../config/app-env.ts'
import type { Config } from '../config/config.ts'
import { messagesFor, respondWithPage, wantsPage } from '../pages/page-response.tsx'
import type { AuthorizationError, ResponseDestination } from './authorization-error.ts'
import { FormPostPage, SUBMIT_FORM_SCRIPT } from './form-post-page.tsx'
import { UnsentErrorPage } from './unsent-error-page.tsx'

/**
 * Responds to an authorization request, with a code or an error. The issuer is always included
 * (RFC 9207).
 */
export async function authorizationResponse(
  c: AppContext,
  destination: ResponseDestination,
  result: Record<string, string>,
): Promise<Response> {
  if (destination.responseMode === 'form_post') return formPostResponse(c, destination, result)
  return c.redirect(responseUrl(c.get('config'), destination, result), 303)
}

/**
 * Responds with a page that informs the user about the error of a client that they have not allowed
 * anything. A link on it returns the error to the client.
 */
export async function unsentErrorResponse(
  c: AppContext,
  { code, message, destination }: AuthorizationError,
): Promise<Response> {
  const reference = c.get('requestId')
  const error = { error: code, error_description: message }
  if (!wantsPage(c)) return c.json({ ...error, reference }, 400)
  const messages = await messagesFor(c)
  return respondWithPage(
    c,
    <UnsentErrorPage
      messages={messages}
      host={new URL(destination.redirectUri).host}
      returnUrl={responseUrl(c.get('config'), destination, error)}
      error={error}
      reference={reference}
    />,
    { title: messages.t('unsentError.title'), status: 400 },
  )
}

function responseParameters(
  { issuer }: Config,
  { state }: ResponseDestination,
  result: Record<string, string>,
): Record<string, string> {
  return { ...result, ...(state !== undefined && { state }), iss: issuer }
}

/** The redirect URI with the response in its query or fragment. */
function responseUrl(
  config: Config,
  destination: ResponseDestination,
  result: Record<string, string>,
): string {
  const parameters = responseParameters(config, destination, result)
  const url = new URL(destination.redirectUri)
  if (destination.responseMode === 'fragment') {
    url.hash = new URLSearchParams(parameters).toString()
    return url.href
  }
  // Not on `url.searchParams`, which serializes the whole query for each parameter.
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(parameters)) query.set(name, value)
  url.search = query.toString()
  return url.href
}

/** {@link https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html} */
async function formPostResponse(
  c: AppContext,
  destination: ResponseDestination,
  result: Record<string, string>,
): Promise<Response> {
  const { redirectUri } = destination
  const parameters = responseParameters(c.get('config'), destination, result)
  const messages = await messagesFor(c)
  return respondWithPage(
    c,
    <FormPostPage messages={messages} redirectUri={redirectUri} parameters={parameters} />,
    {
      // The response may be an error, so it does not say that the user is signed in.
      title: messages.t('signedIn.continueTo', { app: new URL(redirectUri).host }),
      postsToOtherOrigin: true,
      script: SUBMIT_FORM_SCRIPT,
    },
  )
}
