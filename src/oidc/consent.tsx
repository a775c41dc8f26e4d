import { nowInSeconds } from '../clock.ts'
import { OPENID_SCOPES } from '../config/apis.ts'
import type { Config } from '../config/config.ts'
import { openUnexpired, sealUntil } from '../crypto/expiring-seal.ts'
import { SignInError } from '../errors.ts'
import type { Consent } from '../grants/consents.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditUserEvent } from '../http/audit-origin.ts'
import { continueAt } from '../http/continue-response.tsx'
import { csrfToken } from '../http/csrf.ts'
import { deniedRequestPath } from '../http/denied-request.ts'
import { messagesFor, respondWithPage, toShownUser } from '../http/page-response.tsx'
import { addToLog } from '../http/request-log.ts'
import { parseJsonObject } from '../json.ts'
import { ConsentPage, type RequestedApi } from '../pages/consent-page.tsx'
import { readSessionCookie } from '../session/current.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'
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
  apis,
}: AuthorizationRequest): Consent {
  const openIdScopes = scope.filter((value) => OPENID_SCOPES.includes(value))
  const ofApis = apis.flatMap(({ identifier, scopes }) =>
    scopes
      .filter(({ name }) => scope.includes(name))
      // Another API may define a scope with the same name.
      .map(({ name }) => `${identifier} ${name}`),
  )
  return {
    scope: [...new Set([...openIdScopes, ...scopesOfClaims(claims, client), ...ofApis])],
    resources,
  }
}

/** What the form of the consent page contains, sealed. */
interface ShownRequest {
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
  const shownUser = toShownUser(c.get('config'), user)
  const shown: ShownRequest = { query: params.toString(), consent }
  const sealedRequest = await sealUntil(c.get('config').seal, nowInSeconds() + CONSENT_LIFETIME, {
    purpose: 'consent',
    context: user.id,
    text: JSON.stringify(shown),
  })
  return respondWithPage(
    c,
    <ConsentPage
      messages={messages}
      host={host}
      user={shownUser}
      scope={consent.scope.filter((value) => OPENID_SCOPES.includes(value))}
      apis={requestedApis(request)}
      request={sealedRequest}
      csrfToken={await csrfToken(c)}
    />,
    {
      title: messages.consent.title(client.client_name),
      client,
      isRepeatable: true,
      images: [shownUser.image],
    },
  )
}

/** The APIs as the page shows them, with what the client may do there. */
function requestedApis({ resources, apis, scope }: AuthorizationRequest): RequestedApi[] {
  return resources.map((resource) => {
    const api = apis.find(({ identifier }) => identifier === resource)
    const scopes = api?.scopes.filter(({ name }) => scope.includes(name)) ?? []
    return { name: api?.name ?? resource, scopes }
  })
}

/**
 * Handles the user's decision. The request is validated again, because the client may have been
 * changed meanwhile.
 */
export async function handleConsentDecision(
  c: AppContext,
  form: { request: string; answer: 'approve' | 'deny' },
): Promise<Response> {
  const cookie = await readSessionCookie(c)
  if (!cookie) throw new SignInError('attempt_missing')
  const { userId, secretDigest } = cookie
  const config = c.get('config')
  const { query, consent } = await openShownRequest(config, userId, form.request)
  const params = new URLSearchParams(query)
  const request = await parseAuthorizationRequest(c.env, config, params)
  const clientId = request.client.client_id
  if (form.answer === 'deny') {
    const isWithdrawn = await callUserObject(c.env, userId, (object) =>
      object.withdrawConsent(secretDigest, clientId),
    )
    if (isWithdrawn) auditUserEvent(c, userId, { event: 'consent_withdrawn', client: clientId })
    return continueAt(c, await deniedRequestPath(config, params))
  }
  const hasSession = await callUserObject(c.env, userId, (object) =>
    object.grantConsent(secretDigest, clientId, consent, request.client.registeredAt),
  )
  if (!hasSession) throw new SignInError('attempt_missing')
  addToLog(c, { event: 'consent', userId })
  auditUserEvent(c, userId, { event: 'consent_granted', client: clientId })
  // The user met these requirements before the page was shown and must not have to meet them again.
  for (const name of ['prompt', 'max_age', REAUTHENTICATION_PARAMETER]) params.delete(name)
  params.set(APPROVAL_PARAMETER, await sealApproval(config, secretDigest, params))
  return continueAt(c, `/oidc/authorize?${params}`)
}

async function openShownRequest(
  { seal }: Config,
  userId: string,
  sealed: string,
): Promise<ShownRequest> {
  const opened = await openUnexpired(seal, sealed, { purpose: 'consent', context: userId })
  // A page of an earlier version of this service has another format.
  const shown = parseJsonObject(opened ?? '') as ShownRequest | undefined
  if (!shown) throw new SignInError('attempt_missing')
  return shown
}
