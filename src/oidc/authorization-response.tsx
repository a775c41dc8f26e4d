import type { AppContext } from '../config/app-env.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import type { ResponseDestination } from './authorization-error.ts'
import { FormPostPage, SUBMIT_FORM_SCRIPT } from './form-post-page.tsx'

/**
 * Responds to an authorization request, with a code or an error. The issuer is always included
 * (RFC 9207).
 */
export async function authorizationResponse(
  c: AppContext,
  { redirectUri, responseMode, state }: ResponseDestination,
  result: Record<string, string>,
): Promise<Response> {
  const { issuer } = c.get('config')
  const parameters = { ...result, ...(state !== undefined && { state }), iss: issuer }
  if (responseMode === 'form_post') return formPostResponse(c, redirectUri, parameters)
  const url = new URL(redirectUri)
  if (responseMode === 'fragment') {
    url.hash = new URLSearchParams(parameters).toString()
    return c.redirect(url.href, 303)
  }
  // Not on `url.searchParams`, which serializes the whole query for each parameter.
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(parameters)) query.set(name, value)
  url.search = query.toString()
  return c.redirect(url.href, 303)
}

/** {@link https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html} */
async function formPostResponse(
  c: AppContext,
  redirectUri: string,
  parameters: Record<string, string>,
): Promise<Response> {
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
