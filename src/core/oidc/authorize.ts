import { digest } from '../../foundation/crypto/digest.ts'
import { randomId, randomSecret } from '../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { toCallbackClient } from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import { createHandle } from '../grants/handle.ts'
import { emitEvent } from '../http/after-response.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import { clearCookie } from '../http/cookies.ts'
import { isNavigation, isOwnOrTyped, requestSite } from '../http/fetch-metadata.ts'
import { addToLog } from '../http/request-log.ts'
import {
  continueUrl,
  finishRequest,
  type Interaction,
  type PendingRequest,
  requireInteraction,
  signInUrl,
  startRequest,
  updateRequest,
} from '../interaction/interaction.ts'
import { MAX_KEPT_LENGTH } from '../interaction/return-url.ts'
import { stepPath } from '../interaction/step-path.ts'
import { type Client, clientSince } from '../registration-schemas/clients.ts'
import { isProofDelayed, proofDelayed } from '../session/bound-sessions.ts'
import { readPendingCookie, readSessionCookie } from '../session/session-cookie.ts'
import { askStepsAgain, hasStepsOfApps } from '../session/steps.ts'
import { longestTokenLifetime } from '../tokens/access-token.ts'
import { ACR } from '../tokens/acr.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'
import { accountKey } from '../users/account-reference.ts'
import type { AuthorizationResult, GrantRequest } from '../users/authorization.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import { confirmedAccounts } from '../users/unconfirmed-accounts.ts'
import { callUserObject } from '../users/user-object.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { AuthorizationRequest, RequestedAcr } from './authorization-request.ts'
import { authorizationResponse } from './authorization-response.tsx'
import {
  isApproved,
  isOwnNativeApp,
  needsApproval,
  requestedConsent,
  respondWithConsentPage,
} from './consent.tsx'
import { parseAuthorizationRequest, supportedParameters } from './parse-authorization-request.ts'
import { limitRequest, parsePendingRequest } from './pending-request.ts'
import { requiredSignInTimes } from './required-sign-in.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#AuthorizationEndpoint} */
export async function authorize(c: AppContext): Promise<Response> {
  const query = new URL(c.req.url).searchParams
  const pushed = await readPushedRequest(c, query)
  const request =
    pushed === undefined
      ? await limitRequest(c, await parseAuthorizationRequest(c, query), false)
      : await parsePendingRequest(c, { params: pushed }, false)
  return grantOrAsk(c, request, {
    progress: { subject: await requiredSubject(c, request) },
    params: () => keptParameters(pushed ?? supportedParameters(query)),
    cookie: await readSessionCookie(c),
    // A frame or a script cannot ask the user, and keeps no interaction.
    isSilent: !isNavigation(c),
  })
}

async function readPushedRequest(
  c: AppContext,
  query: URLSearchParams,
): Promise<string | undefined> {
  for (const feature of c.get('config').features) {
    const params = await feature.readPushedRequest?.(c, query)
    if (params !== undefined) return params
  }
  return undefined
}

/** The parameters of a request that waits for the user. */
function keptParameters(requested: string | URLSearchParams): string {
  const params = new URLSearchParams(requested)
  // It may contain a whole profile.
  params.delete('id_token_hint')
  return params.toString()
}

/**
 * Continues an authorization request after a sign-in, a step-up or a decision about consent. The
 * request is validated again, because the client may have been changed meanwhile.
 */
export async function continueRequest(
  c: AppContext,
  { id, cancel }: { id: string; cancel?: 'denied' | 'failed' | undefined },
): Promise<Response> {
  const interaction = await requireInteraction(c, id)
  const { request: pending } = interaction
  // The request was already answered, so the app would reject another response to it.
  if (!pending) return c.redirect(await continueUrl(c, interaction), 303)
  const cookie = await readSessionCookie(c)
  const request = await parsePendingRequest(c, pending, isApproved(pending, cookie))
  // The app gets the response to what the user has pressed, whoever it is.
  if (cancel && isByUser(c)) request.destination.isChosenByUser = true
  if (cancel && request.answer) {
    await finishRequest(c, interaction)
    return request.answer.respond(c, { kind: 'denied' }, interaction)
  }
  if (cancel === 'denied') {
    await finishRequest(c, interaction)
    throw new AuthorizationError(
      'access_denied',
      'The user denied the request.',
      request.destination,
    )
  }
  const isSilent = cancel === 'failed'
  return grantOrAsk(c, request, {
    progress: pending,
    params: () => pending.params,
    cookie,
    interaction,
    isSilent,
  })
}

/** Whether the user has pressed a button on our page. Old browsers do not say. */
function isByUser(c: AppContext): boolean {
  return requestSite(c) === undefined || isOwnOrTyped(c)
}

/** What the user has already done for a request. */
type Progress = Omit<PendingRequest, 'params'>

interface RequestContext {
  progress: Progress
  /** The parameters to keep. Most requests are granted without them. */
  params: () => string
  cookie: SessionCookie | undefined
  /** The interaction of a request that is continued. */
  interaction?: Interaction
  /** Whether the user is not asked for anything, as with `prompt=none`. */
  isSilent?: boolean
}

/**
 * Opens a grant, if the session satisfies the request; otherwise asks the user for what is missing.
 */
async function grantOrAsk(
  c: AppContext,
  request: AuthorizationRequest,
  { progress, cookie, interaction, ...context }: RequestContext,
): Promise<Response> {
  const config = c.get('config')
  const { client, destination } = request
  const isSilent = context.isSilent || request.prompt.includes('none')
  const secret = randomSecret()
  const grantRequest = await toGrantRequest(c, request, { progress, secret, cookie, isSilent })
  const result = await grant(c, cookie, { client, grantRequest })

  if (result.kind === 'granted' && cookie) {
    if (interaction) await finishRequest(c, interaction)
    await request.useUp?.(c)
    const { userId } = cookie
    addToLog(c, { event: 'granted', userId, clientId: client.client_id })
    emitEvent(c, 'grant', {
      user: { id: userId },
      client: toCallbackClient(client),
      scope: result.scope,
      resources: request.resources,
    })
    const { grantId } = grantRequest
    if (request.answer) {
      return request.answer.respond(c, { kind: 'approved', userId, grantId }, interaction)
    }
    const handle = { userId, grantId, secret, generation: 0 }
    return authorizationResponse(c, destination, {
      code: await createHandle(config, 'code', handle),
    })
  }
  if (result.kind === 'login_required') requireNoDelay(c, cookie, { isSilent, destination })
  const pending = { ...progress, params: context.params() }
  const error = interactionError(result, request, { pending, isSilent })
  if (error && interaction) await finishRequest(c, interaction)
  if (error) throw error
  if (result.kind === 'consent_required' && cookie) {
    const { user, before } = result
    const shown = { session: cookie.secretDigest, at: nowInSeconds() }
    const started = await saveRequest(c, client, { ...pending, shown }, interaction)
    return respondWithConsentPage(c, request, { interaction: started, cookie, user, before })
  }
  if (result.kind === 'step_required' && 'path' in result) {
    const started = await saveRequest(c, client, pending, interaction)
    return startStep(c, result.path, started)
  }
  const sent = {
    ...pending,
    sentToSignInAt: nowInSeconds(),
    isForAcr: result.kind === 'acr_required',
  }
  const started = await saveRequest(c, client, sent, interaction)
  return c.redirect(
    signInUrlFor(config, request, { interaction: started, missing: result.kind }),
    303,
  )
}

/** Throws if the browser may be able to prove its session soon. */
function requireNoDelay(
  c: AppContext,
  cookie: SessionCookie | undefined,
  { isSilent, destination }: { isSilent: boolean } & Pick<AuthorizationRequest, 'destination'>,
): void {
  if (!isProofDelayed(c, cookie)) return
  if (!isSilent) throw proofDelayed()
  const text = 'The browser cannot prove its session now: try again.'
  throw new AuthorizationError('temporarily_unavailable', text, destination)
}

/** What the user's object returns, or the page of a step that the app makes necessary. */
type GrantResult = AuthorizationResult | { kind: 'step_required'; path: string }

const LOGIN_REQUIRED: GrantResult = { kind: 'login_required' }
const STEP_REQUIRED: GrantResult = { kind: 'step_required' }

async function grant(
  c: AppContext,
  cookie: SessionCookie | undefined,
  { client, grantRequest }: { client: Client; grantRequest: GrantRequest },
): Promise<GrantResult> {
  if (!cookie) return (await readPendingCookie(c)) ? STEP_REQUIRED : LOGIN_REQUIRED
  const { userId, sessionKey } = cookie
  const path = await stepOfApp(c, cookie, client)
  if (path !== undefined) return { kind: 'step_required', path }
  return callUserObject(c.env, userId, (object) => object.authorize(sessionKey, grantRequest))
}

/** Leads to the page of a step that the app makes necessary. */
async function startStep(c: AppContext, path: string, interaction: Interaction): Promise<Response> {
  // Another sign-in in this browser may wait for a step, but the app asks about the session.
  if (await readPendingCookie(c)) clearCookie(c, 'pending')
  return c.redirect(stepPath(path, interaction), 303)
}

/** The page of a step that depends on the app. Features are asked about sessions that count. */
async function stepOfApp(
  c: AppContext,
  { userId, sessionKey }: SessionCookie,
  client: Client,
): Promise<string | undefined> {
  if (!hasStepsOfApps(c)) return undefined
  const found = await callUserObject(c.env, userId, (object) => object.readSession(sessionKey))
  return found && askStepsAgain(c, { ...found.session, method: found.method, client }, 'app')
}

/** Stores the request in its interaction, or in a new one. */
async function saveRequest(
  c: AppContext,
  client: Client,
  request: PendingRequest,
  interaction: Interaction | undefined,
): Promise<Interaction> {
  return interaction ? updateRequest(c, interaction, request) : startRequest(c, client, request)
}

interface GrantRequestContext {
  progress: Progress
  /** The secret of the code. */
  secret: string
  cookie: SessionCookie | undefined
  isSilent: boolean
}

/** What the request requires of the session, and the grant to open. */
async function toGrantRequest(
  c: AppContext,
  request: AuthorizationRequest,
  { progress, secret, cookie, isSilent }: GrantRequestContext,
): Promise<GrantRequest> {
  const config = c.get('config')
  const { client, destination, scope, resources, apis, claims, nonce } = request
  const wasApproved = isApproved(progress, cookie)
  // A preference was considered before the user approved the request.
  const acr = wasApproved && !request.acr?.isEssential ? undefined : request.acr
  return {
    ...requiredSignInTimes(request, progress),
    acr,
    confirmedAccounts: acr && cookie && (await confirmedAccountKeys(c, acr, cookie)),
    subject: progress.subject,
    isSilent,
    // Any program on the user's machine can pose as a native app, so an earlier consent proves
    // nothing (RFC 8252 §8.6).
    forceConsent: request.prompt.includes('consent') || needsApproval(request, progress, cookie),
    consent: client.first_party ? undefined : requestedConsent(request),
    clientSince: clientSince(client),
    upstreamScope: client.upstream_scope,
    grantId: randomId('gnt'),
    secretDigest: request.answer?.secretDigest ?? (await digest(secret)),
    terms: {
      clientId: client.client_id,
      redirectUri: destination.redirectUri,
      scope,
      resources,
      accessTokenLifetime: longestTokenLifetime(config, apis, resources),
      claims,
      nonce,
      codeChallenge: request.codeChallenge,
      codeKey: request.keyThumbprint,
    },
  }
}

/** Only whether the user can resist phishing depends on their accounts. */
async function confirmedAccountKeys(
  c: AppContext,
  { values }: RequestedAcr,
  { userId }: SessionCookie,
): Promise<string[] | undefined> {
  if (!values.includes(ACR.phishingResistant)) return undefined
  const accounts = await listAccounts(c.env, userId)
  return confirmedAccounts(c.get('config'), accounts).map(accountKey)
}

/** The user that the client requires, by `id_token_hint` or by the `claims` parameter. */
async function requiredSubject(
  c: AppContext,
  { idTokenHint, subject, client, destination }: AuthorizationRequest,
): Promise<string | undefined> {
  if (!idTokenHint) return subject
  const hint = await verifyIdTokenHint(c.env, c.get('config'), idTokenHint)
  if (hint?.clientId !== client.client_id) {
    const text = 'id_token_hint is not an ID token of this client.'
    throw new AuthorizationError('invalid_request', text, destination)
  }
  // If both are given and differ, no user satisfies them.
  return subject === undefined || subject === hint.subject ? hint.subject : ''
}

/** Why the user cannot be asked for what is missing. */
function interactionError(
  result: GrantResult,
  request: AuthorizationRequest,
  { pending: { params }, isSilent }: { pending: PendingRequest; isSilent: boolean },
): AuthorizationError | undefined {
  if (isSilent) return interactionRequired(result, request)
  if (result.kind === 'acr_unmet') return acrUnmet(request)
  if (params.length <= MAX_KEPT_LENGTH) return undefined
  return new AuthorizationError('invalid_request', 'The request is too long.', request.destination)
}

/** The errors of `prompt=none` (OpenID Connect Core §3.1.2.6). */
function interactionRequired(
  { kind }: GrantResult,
  request: AuthorizationRequest,
): AuthorizationError {
  if (kind === 'acr_unmet') return acrUnmet(request)
  const [code, text] = describeInteraction(kind, request)
  return new AuthorizationError(code, text, request.destination)
}

const CONSENT_REQUIRED = ['consent_required', 'The user has not given consent.'] as const

function describeInteraction(
  kind: GrantResult['kind'],
  request: AuthorizationRequest,
): readonly [code: string, text: string] {
  switch (kind) {
    case 'acr_required':
      return ['interaction_required', 'The user must be authenticated in another way.']
    case 'step_required':
      // An app that the user may never have allowed learns nothing else about them.
      if (!request.client.first_party) return CONSENT_REQUIRED
      return ['interaction_required', 'The user must see a page of this service first.']
    case 'consent_required':
      if (!isOwnNativeApp(request)) return CONSENT_REQUIRED
      return [
        'interaction_required',
        'The user must press a button first, because another program could pose as a native app.',
      ]
    case 'upstream_scope_required':
      return ['interaction_required', 'The user must grant more scopes at the provider.']
    default:
      return ['login_required', 'The user is not signed in.']
  }
}

/** {@link https://openid.net/specs/openid-connect-unmet-authentication-requirements-1_0.html} */
function acrUnmet({ destination }: AuthorizationRequest): AuthorizationError {
  const text = 'The user was not authenticated with one of the requested values of acr.'
  return new AuthorizationError('unmet_authentication_requirements', text, destination)
}

/** The sign-in page of an interaction, or the provider that the request asks for. */
function signInUrlFor(
  config: Config,
  request: AuthorizationRequest,
  { interaction, missing }: { interaction: Interaction; missing: AuthorizationResult['kind'] },
): string {
  const { prompt, maxAge, uiLocales } = request
  const needsAcr = missing === 'acr_required'
  // A user who is signed in but does not satisfy the request must not simply be sent back.
  const requiresSignIn =
    needsAcr ||
    maxAge !== undefined ||
    interaction.request?.subject !== undefined ||
    prompt.includes('login')
  // The hint cannot lead to the method that is missing.
  const provider = needsAcr ? undefined : enabledProvider(config, request.provider)
  return signInUrl(interaction, provider ? `/signin/${provider}` : '/signin', {
    // Of several prompts, the last one applies.
    // Without a prompt, the provider would silently grant the same scopes as before.
    ...(missing === 'upstream_scope_required' && { prompt: 'consent' }),
    ...(prompt.includes('select_account') && { prompt: 'select_account' }),
    ...(requiresSignIn && { prompt: 'login' }),
    ui_locales: uiLocales,
  })
}

/** The parameter `provider` is a hint: an id that is not enabled leads to the sign-in page. */
function enabledProvider({ providers }: Config, requested: string | undefined): string | undefined {
  return providers.find(({ id }) => id === requested)?.id
}
