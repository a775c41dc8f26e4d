import { nowInSeconds } from '../clock.ts'
import { OPENID_SCOPES } from '../config/apis.ts'
import type { Config } from '../config/config.ts'
import { REFRESH_ABSOLUTE_LIFETIME } from '../config/lifetimes.ts'
import { openUnexpired, sealUntil } from '../crypto/expiring-seal.ts'
import { SignInError } from '../errors.ts'
import type { Consent, ConsentDecision, RequestedConsent } from '../grants/consents.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditUserEvent } from '../http/audit-origin.ts'
import { continueAt } from '../http/continue-response.tsx'
import { csrfToken } from '../http/csrf.ts'
import { deniedRequestPath } from '../http/denied-request.ts'
import { messagesFor, respondWithPage, toShownUser } from '../http/page-response.tsx'
import { addToLog } from '../http/request-log.ts'
import { parseJsonObject } from '../json.ts'
import { ConsentPage, type RequestedApi, type RequestedScope } from '../pages/consent-page.tsx'
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
import { claimsOfScopes, scopesOfClaims } from './claims.ts'

/** How long the consent page may stay open. */
const CONSENT_LIFETIME = 600 // seconds

/**
 * Everything the client would receive or could do. Users may decline all scopes of apps that are not
 * first-party, except for `openid` and the client's `required_scope`.
 */
export function requestedConsent({
  client,
  scope,
  claims,
  resources,
  apis,
}: AuthorizationRequest): RequestedConsent {
  const openIdScopes = scope.filter((value) => OPENID_SCOPES.includes(value))
  const ofApis = apis.flatMap(({ identifier, scopes }) =>
    scopes
      .filter(({ name }) => scope.includes(name))
      // Another API may define a scope with the same name.
      .map(({ name }) => apiScopeEntry(identifier, name)),
  )
  const entries = [...new Set([...openIdScopes, ...scopesOfClaims(claims, client), ...ofApis])]
  const isOptional = (name: string) =>
    !client.first_party && name !== 'openid' && !client.required_scope.includes(name)
  return {
    scope: entries,
    resources,
    optional: entries
      .map((entry) => ({ entry, name: scopeName(entry) }))
      .filter(({ name }) => isOptional(name))
      .map(({ entry, name }) => ({ entry, name, claims: claimsOfScopes([name]) })),
  }
}

/** The scope of an API as it is stored in a consent. */
function apiScopeEntry(identifier: string, name: string): string {
  return `${identifier} ${name}`
}

/** The scope of an entry as it is in tokens. */
function scopeName(entry: string): string {
  return entry.slice(entry.indexOf(' ') + 1)
}

/** What the form of the consent page contains, sealed. */
interface ShownRequest {
  /** The parameters of the authorization request. */
  query: string
  /** What the page asks for. The client's registration may change while the page is open. */
  consent: Consent
  /** The scopes that can be declined. Absent in pages of a version that offered no choice. */
  optional?: readonly string[]
  /** When the client was registered: the page has shown no other client with the same id. */
  registeredAt?: number | undefined
}

/** Responds with the consent page. The authorization request is sealed into its form. */
export async function requestConsent(
  c: AppContext,
  request: AuthorizationRequest,
  {
    params,
    user,
    declined,
  }: { params: URLSearchParams; user: UserRecord; declined: readonly string[] },
): Promise<Response> {
  const messages = await messagesFor(c)
  const { client, address } = request
  const { optional, ...consent } = requestedConsent(request)
  const toRequestedScope = (entry: string, description: string): RequestedScope => ({
    entry,
    name: scopeName(entry),
    value: entry === 'email' ? (user.email ?? messages.t('consent.noEmail')) : undefined,
    description,
    isOptional: optional.some((scope) => scope.entry === entry),
    isDeclined: declined.includes(entry),
  })
  const { host } = new URL(address.redirectUri)
  const shownUser = toShownUser(c.get('config'), user)
  const shown: ShownRequest = {
    query: params.toString(),
    consent,
    optional: optional.map(({ entry }) => entry),
    registeredAt: client.registeredAt,
  }
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
      scope={consent.scope
        .filter((entry) => OPENID_SCOPES.includes(entry))
        .map((entry) => toRequestedScope(entry, entry))}
      apis={requestedApis(request, toRequestedScope)}
      lifetime={accessLifetime(c.get('config'), request)}
      request={sealedRequest}
      otherAccountUrl={otherAccountUrl(params)}
      csrfToken={await csrfToken(c)}
    />,
    {
      title: messages.t('consent.title', { app: client.client_name }),
      client,
      isRepeatable: true,
      images: [shownUser.image],
    },
  )
}

/** The same request, for which the user chooses an account first. */
function otherAccountUrl(params: URLSearchParams): string {
  const repeated = new URLSearchParams(params)
  for (const name of [APPROVAL_PARAMETER, REAUTHENTICATION_PARAMETER]) repeated.delete(name)
  const prompt = new Set([...(params.get('prompt') ?? '').split(' '), 'select_account'])
  repeated.set('prompt', [...prompt].filter(Boolean).join(' '))
  return `/oidc/authorize?${repeated}`
}

/** How long the client can keep its access if the user does not sign in again, in seconds. */
function accessLifetime({ lifetimes }: Config, { scope }: AuthorizationRequest): number {
  if (scope.includes('offline_access')) return REFRESH_ABSOLUTE_LIFETIME
  return lifetimes.sessionAbsolute + lifetimes.accessToken
}

/** The APIs as the page shows them, with what the client may do there. */
function requestedApis(
  { resources, apis, scope }: AuthorizationRequest,
  toRequestedScope: (entry: string, description: string) => RequestedScope,
): RequestedApi[] {
  return resources.map((resource) => {
    const api = apis.find(({ identifier }) => identifier === resource)
    const scopes = api?.scopes.filter(({ name }) => scope.includes(name)) ?? []
    return {
      name: api?.name ?? resource,
      scopes: scopes.map(({ name, description }) =>
        toRequestedScope(apiScopeEntry(resource, name), description),
      ),
    }
  })
}

/**
 * Handles the user's decision. The request is validated again, because the client may have been
 * changed meanwhile.
 */
export async function handleConsentDecision(
  c: AppContext,
  form: { request: string; answer: 'approve' | 'deny'; scope: readonly string[] },
): Promise<Response> {
  const cookie = await readSessionCookie(c)
  if (!cookie) throw new SignInError('attempt_missing')
  const { userId, secretDigest } = cookie
  const config = c.get('config')
  const shown = await openShownRequest(config, userId, form.request)
  const params = new URLSearchParams(shown.query)
  const request = await parseAuthorizationRequest(c.env, config, params)
  const { client_id: clientId, registeredAt } = request.client
  if ((shown.registeredAt ?? 0) < (registeredAt ?? 0)) throw new SignInError('attempt_missing')
  if (form.answer === 'deny') {
    const isWithdrawn = await callUserObject(c.env, userId, (object) =>
      object.withdrawConsent(secretDigest, clientId),
    )
    if (isWithdrawn) auditUserEvent(c, userId, { event: 'consent_withdrawn', client: clientId })
    const messages = await messagesFor(c)
    return continueAt(c, await deniedRequestPath(config, params), {
      title: messages.t('signedIn.continue'),
    })
  }
  const hasSession = await callUserObject(c.env, userId, (object) =>
    object.grantConsent(secretDigest, clientId, toDecision(shown, form.scope), registeredAt),
  )
  if (!hasSession) throw new SignInError('attempt_missing')
  addToLog(c, { event: 'consent', userId })
  auditUserEvent(c, userId, { event: 'consent_granted', client: clientId })
  // The user met these requirements before the page was shown and must not have to meet them again.
  for (const name of ['prompt', 'max_age', REAUTHENTICATION_PARAMETER]) params.delete(name)
  params.set(APPROVAL_PARAMETER, await sealApproval(config, secretDigest, params))
  return continueAt(c, `/oidc/authorize?${params}`)
}

/**
 * Only what the page has shown as optional can be declined, and nothing can be added. A scope that
 * two APIs define is in tokens once, so it is declined for both or for neither.
 */
function toDecision(
  { consent, optional = [] }: ShownRequest,
  selected: readonly string[],
): ConsentDecision {
  const unselected = optional.filter((entry) => !selected.includes(entry)).map(scopeName)
  const declined = optional.filter((entry) => unselected.includes(scopeName(entry)))
  return {
    scope: consent.scope.filter((entry) => !declined.includes(entry)),
    resources: consent.resources,
    declined,
  }
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
