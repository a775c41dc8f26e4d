import { nowInSeconds } from '../clock.ts'
import { OPENID_SCOPES } from '../config/apis.ts'
import type { Config } from '../config/config.ts'
import { REFRESH_ABSOLUTE_LIFETIME } from '../config/lifetimes.ts'
import { randomSecret } from '../crypto/random.ts'
import { SignInError } from '../errors.ts'
import type { ConsentDecision, RequestedConsent } from '../grants/consents.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditUserEvent } from '../http/audit-origin.ts'
import { continueAt } from '../http/continue-response.tsx'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage, toShownUser } from '../http/page-response.tsx'
import { addToLog } from '../http/request-log.ts'
import {
  cancelPath,
  type Interaction,
  interactionClient,
  type PendingRequest,
  requestPath,
  requireInteraction,
  type ShownConsent,
  signInUrl,
  updateRequest,
} from '../interaction/interaction.ts'
import { ConsentPage, type RequestedApi, type RequestedScope } from '../pages/consent-page.tsx'
import { readSessionCookie, type SessionCookie } from '../session/current.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { claimsOfScopes, scopesOfClaims } from './claims.ts'

/** How long the consent page may stay open. */
const CONSENT_LIFETIME = 600 // seconds

/** After the user's approval, the browser continues the request immediately. */
const APPROVAL_LIFETIME = 60 // seconds

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

/** What the consent page shows to this user. The client's registration may change while it is open. */
export function toShownConsent(request: AuthorizationRequest, user: UserRecord): ShownConsent {
  const { optional, ...consent } = requestedConsent(request)
  return {
    page: randomSecret(),
    userId: user.id,
    consent,
    optional: optional.map(({ entry }) => entry),
    registeredAt: request.client.registeredAt,
    at: nowInSeconds(),
  }
}

interface ConsentPageContent {
  interaction: Interaction
  shown: ShownConsent
  user: UserRecord
  /** What the user has declined before. */
  declined: readonly string[]
}

/** Responds with the consent page. */
export async function respondWithConsentPage(
  c: AppContext,
  request: AuthorizationRequest,
  { interaction, shown, user, declined }: ConsentPageContent,
): Promise<Response> {
  const messages = await messagesFor(c)
  const { client, address } = request
  const { consent, optional } = shown
  const toRequestedScope = (entry: string, description: string): RequestedScope => ({
    entry,
    name: scopeName(entry),
    value: entry === 'email' ? (user.email ?? messages.t('consent.noEmail')) : undefined,
    description,
    isOptional: optional.includes(entry),
    isDeclined: declined.includes(entry),
  })
  const { host } = new URL(address.redirectUri)
  const shownUser = toShownUser(c.get('config'), user)
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
      interaction={interaction.id}
      page={shown.page}
      otherAccountUrl={signInUrl(interaction, '/signin', { prompt: 'select_account' })}
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

/** Handles the user's decision about what the page of this interaction has shown. */
export async function handleConsentDecision(
  c: AppContext,
  form: { interaction: string; page: string; answer: 'approve' | 'deny'; scope: readonly string[] },
): Promise<Response> {
  const cookie = await readSessionCookie(c)
  const interaction = await requireInteraction(c, form)
  const { request, clientId } = interaction
  const shown = request?.shown
  const isOpen = shown && shown.at + CONSENT_LIFETIME > nowInSeconds()
  if (!cookie || !clientId || !isOpen || shown.userId !== cookie.userId) {
    throw new SignInError('attempt_missing')
  }
  const { userId, secretDigest } = cookie
  if (form.answer === 'deny') {
    const isWithdrawn = await callUserObject(c.env, userId, (object) =>
      object.withdrawConsent(secretDigest, clientId),
    )
    if (isWithdrawn) auditUserEvent(c, userId, { event: 'consent_withdrawn', client: clientId })
    const messages = await messagesFor(c)
    return continueAt(c, cancelPath(interaction, 'denied'), {
      title: messages.t('signedIn.continue'),
    })
  }
  const registeredAt = await requireShownClient(c, interaction, shown)
  // Another page of the same interaction was opened later and may ask for something else.
  if (shown.page !== form.page) return continueAt(c, requestPath(interaction))
  const hasSession = await callUserObject(c.env, userId, (object) =>
    object.grantConsent(secretDigest, clientId, toDecision(shown, form.scope), registeredAt),
  )
  if (!hasSession) throw new SignInError('attempt_missing')
  addToLog(c, { event: 'consent', userId })
  auditUserEvent(c, userId, { event: 'consent_granted', client: clientId })
  await updateRequest(c, interaction, {
    approval: { session: secretDigest, at: nowInSeconds() },
  })
  return continueAt(c, requestPath(interaction))
}

/** When the client was registered. Another client may have got the same id while the page was open. */
async function requireShownClient(
  c: AppContext,
  interaction: Interaction,
  shown: ShownConsent,
): Promise<number | undefined> {
  const client = await interactionClient(c.env, c.get('config'), interaction)
  if (!client) throw new SignInError('client_unknown', { parameter: 'client_id' })
  const { registeredAt } = client
  if ((shown.registeredAt ?? 0) < (registeredAt ?? 0)) throw new SignInError('attempt_missing')
  return registeredAt
}

/** Whether the user of this session has just approved the request. */
export function isApproved(
  { approval }: PendingRequest,
  cookie: SessionCookie | undefined,
): boolean {
  if (!approval || approval.session !== cookie?.secretDigest) return false
  return approval.at + APPROVAL_LIFETIME > nowInSeconds()
}

/**
 * Only what the page has shown as optional can be declined, and nothing can be added. A scope that
 * two APIs define is in tokens once, so it is declined for both or for neither.
 */
function toDecision(
  { consent, optional }: ShownConsent,
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
