import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import { openApp } from '../pages/continue-page.tsx'
import { FormButton } from '../pages/form-button.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { hasPrivateScheme } from '../registration-schemas/redirect-uri.ts'
import type { ResponseDestination } from './authorization-error.ts'

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
  const { client, redirectUri } = destination
  const url = responseUrl(c.get('config'), destination, result)
  return hasPrivateScheme(redirectUri) ? openApp(c, url, client) : c.redirect(url, 303)
}

function responseParameters(
  { issuer }: Config,
  { state }: ResponseDestination,
  result: Record<string, string>,
): Record<string, string> {
  return { ...result, ...(state !== undefined && { state }), iss: issuer }
}

/** The redirect URI with the response in its query or fragment. */
export function responseUrl(
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

interface FormPostPageProps {
  messages: Messages
  redirectUri: string
  parameters: Record<string, string>
}

/**
 * Posts an authorization response to the app (OAuth 2.0 Form Post Response Mode). A script submits
 * the form; without scripts the user presses the button.
 */
export function FormPostPage({ messages, redirectUri, parameters }: FormPostPageProps) {
  return (
    <>
      <p>{messages.t('continuing.lead')}</p>
      <FormButton action={redirectUri} fields={parameters} id="continue" isPrimary>
        {messages.t('signedIn.continueTo', { app: new URL(redirectUri).host })}
      </FormButton>
    </>
  )
}

/** Submits the only form on the page. */
const SUBMIT_FORM_SCRIPT = 'document.forms[0].submit()'
