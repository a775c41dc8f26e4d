import { nowInSeconds } from '../clock.ts'
import { requireStorage, SignInError } from '../errors.ts'
import type { Consent } from '../grants/consents.ts'
import type { AppContext } from '../http/app-env.ts'
import { continueAt } from '../http/continue-response.tsx'
import { csrfToken } from '../http/csrf.ts'
import { deniedRequestPath } from '../http/denied-request.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { addToLog } from '../http/request-log.ts'
import { limitPageRequests } from '../limits/rate-limit.ts'
import { ConsentPage } from '../pages/consent-page.tsx'
import { readSessionCookie } from '../session/current.ts'
import type { UserRecord } from '../users/user.ts'
import { userObject } from '../users/user-object.ts'
import { type AuthorizationRequest, parseAuthorizationRequest } from './authorization-request.ts'
import { scopesOfClaims } from './claims.ts'
import { REAUTHENTICATION_PARAMETER } from './reauthentication.ts'

/** How long the consent page may stay open. */
const CONSENT_LIFETIME = 600 // seconds

/** What the user must agree to: everything the client would receive or could do. */
export function requiredConsent({
  client,
  scope,
  claims,
  resources,
}: AuthorizationRequest): Consent {
  return { scope: [...new Set([...scope, ...scopesOfClaims(claims, client)])], resources }
}

/** Responds with the consent page. The authorization request is sealed into its form. */
export async function requestConsent(
  c: AppContext,
  request: AuthorizationRequest,
  user: UserRecord,
): Promise<Response> {
  const messages = messagesFor(c)
  const { client, address } = request
  const { scope, resources } = requiredConsent(request)
  const { host } = new URL(address.redirectUri)
  const expiresAt = nowInSeconds() + CONSENT_LIFETIME
  const { search } = new URL(c.req.url)
  return respondWithPage(
    c,
    <ConsentPage
      messages={messages}
      host={host}
      name={user.name ?? user.username}
      scope={[...scope, ...resources]}
      request={await c.get('config').seal.seal('consent', user.id, `${expiresAt}${search}`)}
      csrfToken={await csrfToken(c)}
    />,
    { title: messages.consent.title(client.client_name) },
  )
}

/** Handles the user's decision. The request is validated again, because the client may have been changed meanwhile. */
export async function decideConsent(
  c: AppContext,
  form: { request: string; answer: 'approve' | 'deny' },
): Promise<Response> {
  const cookie = await readSessionCookie(c)
  if (!cookie) throw new SignInError('attempt_missing')
  const { userId, key } = cookie
  await limitPageRequests(c.env, userId)
  const params = await openSealedRequest(c, userId, form.request)
  const request = parseAuthorizationRequest(c.get('config'), params)
  const clientId = request.client.client_id
  if (form.answer === 'deny') {
    await requireStorage(async () => userObject(c.env, userId).withdrawConsent(clientId))
    return continueAt(c, await deniedRequestPath(c.get('config'), params))
  }
  const consent = requiredConsent(request)
  const hasSession = await requireStorage(async () =>
    userObject(c.env, userId).grantConsent(key, clientId, consent),
  )
  if (!hasSession) throw new SignInError('attempt_missing')
  addToLog(c, { event: 'consent', userId })
  // The user met these requirements before the page was shown and must not have to meet them again.
  for (const name of ['prompt', 'max_age', REAUTHENTICATION_PARAMETER]) params.delete(name)
  return continueAt(c, `/oidc/authorize?${params}`)
}

async function openSealedRequest(
  c: AppContext,
  userId: string,
  sealed: string,
): Promise<URLSearchParams> {
  const opened = await c.get('config').seal.open('consent', userId, sealed)
  const [expiresAt, search] = opened?.split(/\?(.*)/s) ?? []
  if (search === undefined || Number(expiresAt) <= nowInSeconds()) {
    throw new SignInError('attempt_missing')
  }
  // URLSearchParams removes one leading question mark; this one protects a question mark in the request.
  return new URLSearchParams(`?${search}`)
}
