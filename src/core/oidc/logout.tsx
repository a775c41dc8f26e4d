import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { describeText, describeUri, listRegistered } from '../../foundation/values/describe-sent.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import type { Client } from '../registration-schemas/clients.ts'
import { hasPrivateScheme } from '../registration-schemas/redirect-uri.ts'
import { hasWildcard, isPreview, wildcardOf } from '../registration-schemas/wildcard.ts'
import { findClient } from '../registrations/find-client.ts'
import { endSession } from '../session/end-session.ts'
import { authoritativeSession } from '../session/read-session.ts'
import { respondSignedOut, SignOutPage } from '../session/sign-out-page.tsx'
import { readPendingSession } from '../session/step-session.ts'
import { type IdTokenHint, verifyIdTokenHint } from '../tokens/verify.ts'
import { callUserObject } from '../users/user-object.ts'

const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']

/** {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout} */
export async function logout(c: AppContext, params: URLSearchParams): Promise<Response> {
  const { hint, returnTo } = await parseLogoutRequest(c, params)
  const session = (await authoritativeSession(c)) ?? (await readPendingSession(c))?.session
  if (hint && session?.sid !== hint.sid) {
    // The session of the hint may have ended while its grants are still valid.
    await callUserObject(c.env, hint.subject, (object) => object.endOrphanedGrants(hint.sid))
  }
  // A hint for this very session proves that the app took part in it; otherwise the user is asked.
  if (session && session.sid !== hint?.sid) return askForConfirmation(c, params)
  const providerId = await endSession(c)
  // Only a page can tell users that their device does not have the app.
  if (!returnTo || hasPrivateScheme(returnTo)) return respondSignedOut(c, { providerId, returnTo })
  return c.redirect(returnTo, 303)
}

/** The user has confirmed. The request is validated again. */
export async function confirmLogout(c: AppContext, params: URLSearchParams): Promise<Response> {
  const { returnTo } = await parseLogoutRequest(c, params)
  const providerId = await endSession(c)
  return respondSignedOut(c, { providerId, returnTo })
}

async function askForConfirmation(c: AppContext, params: URLSearchParams): Promise<Response> {
  const messages = await messagesFor(c)
  const request = Object.fromEntries([...params].filter(([name]) => PARAMETERS.includes(name)))
  const fields = { ...request, csrfToken: await csrfToken(c) }
  return respondWithPage(
    c,
    <SignOutPage messages={messages} action="/oidc/logout/confirm" fields={fields} />,
    { title: messages.t('signOut.title'), isRepeatable: true },
  )
}

interface LogoutRequest {
  hint: IdTokenHint | undefined
  /** A registered URL the user returns to afterwards. */
  returnTo: string | undefined
}

async function parseLogoutRequest(c: AppContext, params: URLSearchParams): Promise<LogoutRequest> {
  for (const name of PARAMETERS) {
    if (params.getAll(name).length > 1) {
      throw new SignInError('request_invalid', { parameter: name })
    }
  }
  const config = c.get('config')
  const get = (name: string) => params.get(name) || undefined
  const hint = await parseHint(c, get('id_token_hint'), get('client_id'))
  const redirectUri = get('post_logout_redirect_uri')
  if (!redirectUri) return { hint, returnTo: undefined }

  const clientId = hint?.clientId ?? get('client_id')
  if (!clientId) throw new SignInError('id_token_hint_missing', { parameter: 'id_token_hint' })
  // Without a known client, no URL is registered.
  const client = await findClient(c.env, config, clientId)
  if (!client || !isRegistered(config, client, redirectUri)) {
    const registered = client
      ? `${client.client_id} has registered: ${listRegistered(client.post_logout_redirect_uris.map(describeUri))}.`
      : `No client has the id ${describeText(clientId)}.`
    const hint = `post_logout_redirect_uri is ${describeUri(redirectUri)}. ${registered}`
    throw new SignInError('post_logout_redirect_uri_refused', {
      parameter: 'post_logout_redirect_uri',
      detail: { hint },
    })
  }
  return { hint, returnTo: withState(redirectUri, get('state')) }
}

async function parseHint(
  c: AppContext,
  idToken: string | undefined,
  clientId: string | undefined,
): Promise<IdTokenHint | undefined> {
  if (!idToken) return undefined
  const hint = await verifyIdTokenHint(c.env, c.get('config'), idToken)
  if (!hint || (clientId && hint.clientId !== clientId)) {
    const reason = hint
      ? `It was issued to ${hint.clientId}, and client_id is ${describeText(clientId ?? '')}.`
      : 'It is no ID token of this service.'
    const detail = { hint: reason }
    throw new SignInError('id_token_hint_refused', { parameter: 'id_token_hint', detail })
  }
  return hint
}

/** Exact comparison, unless the app has listed its wildcard for previews here, too. */
function isRegistered(config: Config, client: Client, redirectUri: string): boolean {
  const uris = client.post_logout_redirect_uris
  if (hasWildcard(redirectUri)) return false
  if (uris.includes(redirectUri)) return true
  const hasOwnWildcard = uris.some((uri) => uri === wildcardOf(client))
  return hasOwnWildcard && isPreview(config, client, redirectUri)
}

function withState(redirectUri: string, state: string | undefined): string {
  const url = new URL(redirectUri)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
