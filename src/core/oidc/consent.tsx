import { digest } from '../../foundation/crypto/digest.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { REFRESH_ABSOLUTE_LIFETIME } from '../config/lifetimes.ts'
import type { ConsentDecision, RequestedConsent } from '../grants/consents.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import { auditUserEvent } from '../http/audit.ts'
import { csrfToken } from '../http/csrf.ts'
import { addToLog } from '../http/request-log.ts'
import {
  cancelPath,
  continueUrl,
  type Interaction,
  type PendingRequest,
  requestPath,
  requireInteraction,
  signInUrl,
  updateRequest,
} from '../interaction/interaction.ts'
import type { Messages } from '../messages/messages.ts'
import { continueAt } from '../pages/continue-page.tsx'
import { messagesFor, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { OPENID_SCOPES } from '../registration-schemas/apis.ts'
import { clientSince, isOwnNativeClient } from '../registration-schemas/clients.ts'
import { describeRedirectUri, isClaimedLink } from '../registration-schemas/redirect-uri.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { claimsOfScopes, scopesOfClaims } from './claims.ts'
import {
  ConsentPage,
  ContinueToAppPage,
  type RequestedApi,
  type RequestedScope,
} from './consent-page.tsx'
import type { ConsentPart } from './consent-part.ts'
import { parsePendingRequest } from './pending-request.ts'

/** How long the consent page may stay open. */
const CONSENT_LIFETIME = 600 // seconds

/** After the user's approval, the browser continues the request immediately. */
const APPROVAL_LIFETIME = 60 // seconds

/**
 * Everything the client would receive or could do. Users may decline all scopes of apps that are
 * not first-party, except for `openid` and the client's `required_scope`.
 */
export function requestedConsent({
  client,
  scope,
  claims,
  resources,
  apis,
}: Pick<
  AuthorizationRequest,
  'client' | 'scope' | 'claims' | 'resources' | 'apis'
>): RequestedConsent {
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

/**
 * Identifies what the consent page asks for, for which app, and in which session. If it has changed
 * when the user decides, the page is shown again.
 */
function consentDigest(
  request: AuthorizationRequest,
  { userId, secretDigest }: SessionCookie,
): Promise<string> {
  const { client, destination } = request
  const consent = requestedConsent(request)
  const page = isOwnNativeApp(request) ? 'continue' : 'consent'
  const app = [client.client_id, clientSince(client), destination.redirectUri]
  return digest(JSON.stringify([page, userId, secretDigest, ...app, consent]))
}

/**
 * Whether the request is that of a native app of the operator's own. Its users are not asked for
 * consent, but another program may pose as the app, so they press a button.
 */
export function isOwnNativeApp({ client, prompt, answer }: AuthorizationRequest): boolean {
  const isAskedForConsent = answer !== undefined || prompt.includes('consent')
  return isOwnNativeClient(client) && !isAskedForConsent
}

/** Whether a request needs the user's approval, whatever they have approved before. */
export function needsApproval(
  request: AuthorizationRequest,
  progress: Pick<PendingRequest, 'approval' | 'pressed'>,
  cookie: SessionCookie | undefined,
): boolean {
  const { client, destination } = request
  if (client.application_type !== 'native' || isApproved(progress, cookie)) return false
  if (!isOwnNativeApp(request)) return true
  // Signing in on our pages was pressing a button, too.
  const isPressed = isRecent(progress.pressed, cookie)
  return !isClaimedLink(destination.redirectUri) && !isPressed
}

interface ConsentPageContent {
  interaction: Interaction
  cookie: SessionCookie
  user: UserRecord
  /** What the user has decided before. */
  before: ConsentDecision
}

/**
 * Responds with the consent page, or with a page with one button, which continues to a native app of
 * the operator's own.
 */
export async function respondWithConsentPage(
  c: AppContext,
  request: AuthorizationRequest,
  { interaction, cookie, user, before }: ConsentPageContent,
): Promise<Response> {
  const { client } = request
  const messages = await messagesFor(c)
  const shownUser = toShownUser(c.get('config'), user)
  const common = {
    messages,
    user: shownUser,
    interaction: interaction.id,
    shown: await consentDigest(request, cookie),
    otherAccountUrl: signInUrl(interaction, '/signin', { prompt: 'select_account' }),
    csrfToken: await csrfToken(c),
  }
  const parts = consentParts(c, request, { messages, user })
  const [title = messages.t('consent.title', { app: client.client_name })] = parts.flatMap(
    (part) => part.title ?? [],
  )
  const isOwn = isOwnNativeApp(request)
  const page = isOwn ? (
    <ContinueToAppPage {...common} app={client.client_name} />
  ) : (
    <ConsentPage
      {...common}
      {...requestedPermissions(request, before, user.email ?? messages.t('consent.noEmail'))}
      host={request.answer ? undefined : describeRedirectUri(request.destination.redirectUri)}
      notices={parts.map(({ notice }) => notice)}
      isWarning={parts.some(({ isWarning }) => isWarning)}
      included={parts.flatMap(({ permissions = [] }) => permissions)}
      lifetime={accessLifetime(c.get('config'), request)}
    />
  )
  return respondWithPage(c, page, {
    title: isOwn ? messages.t('signedIn.title') : title,
    client,
    isRepeatable: true,
    images: [shownUser.image],
  })
}

/** What the feature that answers the request, and all others, add to the page. */
function consentParts(
  c: AppContext,
  { client, destination, apis, answer }: AuthorizationRequest,
  { messages, user }: { messages: Messages; user: UserRecord },
): ConsentPart[] {
  const { redirectUri } = destination
  const ofFeatures = c
    .get('config')
    .features.flatMap(
      ({ consentPart }) => consentPart?.(messages, { client, redirectUri, apis, user }) ?? [],
    )
  return [...(answer ? [answer.consentPart(c, messages)] : []), ...ofFeatures]
}

/** How long the client can keep its access if the user does not sign in again, in seconds. */
function accessLifetime({ lifetimes }: Config, { scope }: AuthorizationRequest): number {
  if (scope.includes('offline_access')) return REFRESH_ABSOLUTE_LIFETIME
  return lifetimes.sessionAbsolute + lifetimes.accessToken
}

/** What the client requests, as the page shows it. */
function requestedPermissions(
  request: AuthorizationRequest,
  before: ConsentDecision,
  email: string,
): { scope: RequestedScope[]; apis: RequestedApi[] } {
  const { optional, ...consent } = requestedConsent(request)
  const toRequestedScope = (entry: string, description: string): RequestedScope => ({
    entry,
    name: scopeName(entry),
    value: entry === 'email' ? email : undefined,
    description,
    isOptional: optional.some((scope) => scope.entry === entry),
    isDeclined: before.declined.includes(entry),
    isDecided: [...before.scope, ...before.declined].includes(entry),
  })
  const toRequestedApi = (resource: string): RequestedApi => {
    const api = request.apis.find(({ identifier }) => identifier === resource)
    const scopes = api?.scopes.filter(({ name }) => request.scope.includes(name)) ?? []
    return {
      name: api?.name ?? resource,
      isDecided: before.resources.includes(resource),
      scopes: scopes.map(({ name, description }) =>
        toRequestedScope(apiScopeEntry(resource, name), description),
      ),
    }
  }
  return {
    scope: consent.scope
      .filter((entry) => OPENID_SCOPES.includes(entry))
      .map((entry) => toRequestedScope(entry, entry)),
    apis: request.resources.map(toRequestedApi),
  }
}

/**
 * Handles the user's decision. The request is validated again, because the client may have been
 * changed while the page was open.
 */
export async function handleConsentDecision(
  c: AppContext,
  form: {
    interaction: string
    shown: string
    answer: 'approve' | 'deny'
    scope: readonly string[]
  },
): Promise<Response> {
  const cookie = await readSessionCookie(c)
  const interaction = await requireInteraction(c, form.interaction)
  const { request: pending } = interaction
  // The request was already answered, perhaps in another tab.
  if (!pending) return continueAt(c, await continueUrl(c, interaction))
  const { shown } = pending
  const isExpired = shown && shown.at + CONSENT_LIFETIME <= nowInSeconds()
  if (!cookie || isExpired) throw new SignInError('attempt_missing')
  const { userId, sessionKey, secretDigest } = cookie
  const request = await parsePendingRequest(c, pending, false)
  const isShown =
    shown?.session === secretDigest && (await consentDigest(request, cookie)) === form.shown
  // The request is checked again, because another session may not meet its requirements.
  if (!isShown) return continueAt(c, requestPath(interaction))
  const { client, resources } = request
  const { client_id: clientId } = client
  if (form.answer === 'deny') {
    // What the user has allowed before stays: they can remove it on the account page.
    const messages = await messagesFor(c)
    return continueAt(c, cancelPath(interaction, 'denied'), {
      title: messages.t('signedIn.continue'),
    })
  }
  const decided = { client, userId, resources, continueAt: requestPath(interaction) }
  for (const { beforeConsent } of c.get('config').features) await beforeConsent?.(c, decided)
  // The button of an app of the operator's own is no consent, and is not remembered.
  if (!isOwnNativeApp(request)) {
    const decision = toDecision(requestedConsent(request), form.scope)
    const hasSession = await callUserObject(c.env, userId, (object) =>
      object.grantConsent(sessionKey, clientId, decision, clientSince(client)),
    )
    if (!hasSession) throw new SignInError('attempt_missing')
    addToLog(c, { event: 'consent', userId })
    auditUserEvent(c, userId, { event: 'consent_granted', client: clientId })
  }
  const approval = { session: secretDigest, at: nowInSeconds() }
  await updateRequest(c, interaction, { ...pending, approval })
  return continueAt(c, requestPath(interaction))
}

/** Whether the user of this session has just approved the request. */
export function isApproved(
  { approval }: Pick<PendingRequest, 'approval'>,
  cookie: SessionCookie | undefined,
): boolean {
  return isRecent(approval, cookie)
}

/** Whether the user of this session has just done something. */
function isRecent(done: PendingRequest['approval'], cookie: SessionCookie | undefined): boolean {
  if (!done || done.session !== cookie?.secretDigest) return false
  return done.at + APPROVAL_LIFETIME > nowInSeconds()
}

/**
 * Only what the page has shown as optional can be declined, and nothing can be added. A scope that
 * two APIs define is in tokens once, so it is declined for both or for neither.
 */
function toDecision(
  { scope, resources, optional }: RequestedConsent,
  selected: readonly string[],
): ConsentDecision {
  const entries = optional.map(({ entry }) => entry)
  const unselected = entries.filter((entry) => !selected.includes(entry)).map(scopeName)
  const declined = entries.filter((entry) => unselected.includes(scopeName(entry)))
  return { scope: scope.filter((entry) => !declined.includes(entry)), resources, declined }
}
