import { nowInSeconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { requireStorage, SignInError } from '../errors.ts'
import type { Consent } from '../grants/consents.ts'
import type { AppContext } from '../http/app-env.ts'
import { continueAt } from '../http/continue-response.tsx'
import { csrfToken } from '../http/csrf.ts'
import { deniedRequestPath } from '../http/denied-request.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { addToLog } from '../http/request-log.ts'
import { parseJsonObject } from '../json.ts'
import { ConsentPage } from '../pages/consent-page.tsx'
import { readSessionCookie } from '../session/current.ts'
import type { UserRecord } from '../users/user.ts'
import { userObject } from '../users/user-object.ts'
import { sealApproval } from './approval.ts'
import {
  APPROVAL_PARAMETER,
  type AuthorizationRequest,
  parseAuthorizationRequest,
  REAUTHENTICATION_PARAMETER,
} from './authorization-request.ts'
import { scopesOfClaims } from './claims.ts'

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

/** What the form of the consent page contains, sealed. */
interface ShownRequest {
  expiresAt: number
  /** The parameters of the authorization request. */
  query: string
  /** What the page asks for. The client's registration may change while the page is open. */
  consent: Consent
}

/** Responds with the consent page. The authorization request is sealed into its form. */
export async function requestConsent(
  c: AppContext,
  request: AuthorizationRequest,
  { params, user }: { params: URLSearchParams; user: UserRecord },
): Promise<Response> {
  const messages = messagesFor(c)
  const { client, address } = request
  const consent = requiredConsent(request)
  const { host } = new URL(address.redirectUri)
  const shown: ShownRequest = {
    expiresAt: nowInSeconds() + CONSENT_LIFETIME,
    query: params.toString(),
    consent,
  }
  return respondWithPage(
    c,
    <ConsentPage
      messages={messages}
      host={host}
      name={user.name ?? user.username}
      scope={[...consent.scope, ...consent.resources]}
      request={await c.get('config').seal.seal('consent', user.id, JSON.stringify(shown))}
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
  const config = c.get('config')
  const { query, consent } = await openShownRequest(config, userId, form.request)
  const params = new URLSearchParams(query)
  const request = parseAuthorizationRequest(config, params)
  const clientId = request.client.client_id
  if (form.answer === 'deny') {
    await requireStorage(async () => userObject(c.env, userId).withdrawConsent(clientId))
    return continueAt(c, await deniedRequestPath(config, params))
  }
  const hasSession = await requireStorage(async () =>
    userObject(c.env, userId).grantConsent(key, clientId, consent),
  )
  if (!hasSession) throw new SignInError('attempt_missing')
  addToLog(c, { event: 'consent', userId })
  // The user met these requirements before the page was shown and must not have to meet them again.
  for (const name of ['prompt', 'max_age', REAUTHENTICATION_PARAMETER]) params.delete(name)
  params.set(APPROVAL_PARAMETER, await sealApproval(config, key, params))
  return continueAt(c, `/oidc/authorize?${params}`)
}

async function openShownRequest(
  { seal }: Config,
  userId: string,
  sealed: string,
): Promise<ShownRequest> {
  const opened = await seal.open('consent', userId, sealed)
  // A page of an earlier version of this service has another format.
  const shown = parseJsonObject(opened ?? '') as ShownRequest | undefined
  if (!shown || shown.expiresAt <= nowInSeconds()) throw new SignInError('attempt_missing')
  return shown
}
