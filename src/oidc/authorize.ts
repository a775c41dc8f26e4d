import { longestTokenLifetime } from '../config/apis.ts'
import { toCallbackClient } from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import { digest } from '../crypto/digest.ts'
import { randomId, randomSecret } from '../crypto/random.ts'
import { AuthorizationError } from '../errors.ts'
import { createHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import { authorizationResponse } from '../http/authorization-response.tsx'
import { isDenied } from '../http/denied-request.ts'
import { emitEvent } from '../http/events.ts'
import { addToLog } from '../http/request-log.ts'
import { linkAddress, MAX_RETURN_URL_LENGTH, returnLink } from '../http/return-url.ts'
import { readSessionCookie, type SessionCookie } from '../session/current.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'
import type { AuthorizationResult, GrantRequest } from '../users/authorization.ts'
import { callUserObject } from '../users/user-object.ts'
import { isApproved } from './approval.ts'
import {
  type AuthorizationRequest,
  parseAuthorizationRequest,
  REAUTHENTICATION_PARAMETER,
  supportedParameters,
} from './authorization-request.ts'
import { requireSubject } from './claims.ts'
import { requestConsent, requestedConsent } from './consent.tsx'
import { requiredSignInTimes, sealSignInTime } from './reauthentication.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#AuthorizationEndpoint} */
export async function authorize(c: AppContext): Promise<Response> {
  const config = c.get('config')
  const query = new URL(c.req.url).searchParams
  const request = await parseAuthorizationRequest(c.env, config, query)
  const { client, address } = request
  if (await isDenied(config, query)) {
    throw new AuthorizationError('access_denied', 'The user denied the request.', address)
  }
  const cookie = await readSessionCookie(c)
  const secret = randomSecret()
  const grantRequest = await toGrantRequest(c, request, { query, secret, cookie })
  const result: AuthorizationResult = cookie
    ? await callUserObject(c.env, cookie.userId, (object) =>
        object.authorize(cookie.secretDigest, grantRequest),
      )
    : { kind: 'login_required' }

  if (result.kind === 'granted' && cookie) {
    const { userId } = cookie
    addToLog(c, { event: 'granted', userId, clientId: client.client_id })
    emitEvent(c, 'grant', {
      user: { id: userId },
      client: toCallbackClient(client),
      scope: result.scope,
      resources: request.resources,
    })
    const handle = { userId, grantId: grantRequest.grantId, secret, generation: 0 }
    return authorizationResponse(c, address, { code: await createHandle(config, 'code', handle) })
  }
  if (request.prompt.includes('none')) throw interactionRequired(result, request)
  const params = supportedParameters(query)
  if (result.kind === 'consent_required') {
    return requestConsent(c, request, { params, user: result.user, declined: result.declined })
  }
  if (result.kind === 'context_unmet') throw contextUnmet(request)
  const repeated = withoutHint(params, grantRequest.subject)
  return c.redirect(await signInUrl(c, request, { params: repeated, missing: result.kind }), 303)
}

interface GrantRequestContext {
  query: URLSearchParams
  /** The secret of the code. */
  secret: string
  cookie: SessionCookie | undefined
}

/** What the request requires of the session, and the grant to open. */
async function toGrantRequest(
  c: AppContext,
  request: AuthorizationRequest,
  { query, secret, cookie }: GrantRequestContext,
): Promise<GrantRequest> {
  const config = c.get('config')
  const { client, address, scope, resources, apis, claims, nonce, codeChallenge } = request
  // Any program on the user's machine can pose as a native app, so an earlier consent proves
  // nothing (RFC 8252 §8.6).
  const wasApproved = await isApproved(config, cookie?.secretDigest ?? '', query)
  const needsApproval = client.application_type === 'native' && !wasApproved
  // A preference was considered before the user approved the request.
  const context = wasApproved && !request.context?.isEssential ? undefined : request.context
  return {
    ...(await requiredSignInTimes(config, request, query)),
    context,
    subject: await requiredSubject(c, request),
    isSilent: request.prompt.includes('none'),
    forceConsent: request.prompt.includes('consent') || needsApproval,
    consent: client.first_party ? undefined : requestedConsent(request),
    clientRegisteredAt: client.registeredAt,
    upstreamScope: client.upstream_scope,
    grantId: randomId('gnt'),
    secretDigest: await digest(secret),
    terms: {
      clientId: client.client_id,
      redirectUri: address.redirectUri,
      scope,
      resources,
      accessTokenLifetime: longestTokenLifetime(config, apis, resources),
      claims,
      nonce,
      codeChallenge,
    },
  }
}

/** The user that the client requires, by `id_token_hint` or by the `claims` parameter. */
async function requiredSubject(
  c: AppContext,
  { idTokenHint, subject, client, address }: AuthorizationRequest,
): Promise<string | undefined> {
  if (!idTokenHint) return subject
  const hint = await verifyIdTokenHint(c.env, c.get('config'), idTokenHint)
  if (hint?.clientId !== client.client_id) {
    const text = 'id_token_hint is not an ID token of this client.'
    throw new AuthorizationError('invalid_request', text, address)
  }
  // If both are given and differ, no user satisfies them.
  return subject === undefined || subject === hint.subject ? hint.subject : ''
}

/** The errors of `prompt=none` (OpenID Connect Core §3.1.2.6). */
function interactionRequired(
  { kind }: AuthorizationResult,
  request: AuthorizationRequest,
): AuthorizationError {
  const { address } = request
  switch (kind) {
    case 'context_unmet':
      return contextUnmet(request)
    case 'context_required':
      return new AuthorizationError(
        'interaction_required',
        'The user must be authenticated in another way.',
        address,
      )
    case 'consent_required':
      return new AuthorizationError(kind, 'The user has not given consent.', address)
    case 'upstream_scope_required':
      return new AuthorizationError(
        'interaction_required',
        'The user must grant more scopes at the provider.',
        address,
      )
    default:
      return new AuthorizationError('login_required', 'The user is not signed in.', address)
  }
}

/** {@link https://openid.net/specs/openid-connect-unmet-authentication-requirements-1_0.html} */
function contextUnmet({ address }: AuthorizationRequest): AuthorizationError {
  const text = 'The user was not authenticated with one of the requested values of acr.'
  return new AuthorizationError('unmet_authentication_requirements', text, address)
}

/**
 * The same request, but with the user that an `id_token_hint` identifies in the `claims` parameter:
 * a request that is repeated after a sign-in must be short, and an ID token may contain a whole
 * profile.
 */
function withoutHint(params: URLSearchParams, subject: string | undefined): URLSearchParams {
  const repeated = new URLSearchParams(params)
  if (subject === undefined || !params.has('id_token_hint')) return repeated
  repeated.delete('id_token_hint')
  repeated.set('claims', requireSubject(params.get('claims') || undefined, subject))
  return repeated
}

/** Our sign-in page, which returns to the same request. */
async function signInUrl(
  c: AppContext,
  request: AuthorizationRequest,
  { params, missing }: { params: URLSearchParams; missing: AuthorizationResult['kind'] },
): Promise<string> {
  const config = c.get('config')
  const { address, prompt, maxAge, idTokenHint, subject, uiLocales } = request
  const repeated = new URLSearchParams(params)
  const needsContext = missing === 'context_required'
  repeated.set(REAUTHENTICATION_PARAMETER, await sealSignInTime(config, params, needsContext))
  const returnTo = `${config.issuer}/oidc/authorize?${repeated}`
  if (returnTo.length > MAX_RETURN_URL_LENGTH) {
    const text = 'The request is too long to be repeated after a sign-in.'
    throw new AuthorizationError('invalid_request', text, address)
  }
  // A user who is signed in but does not satisfy the request must not simply be sent back.
  const requiresSignIn =
    needsContext ||
    maxAge !== undefined ||
    idTokenHint !== undefined ||
    subject !== undefined ||
    prompt.includes('login')
  const query = {
    // Without a prompt, the provider would silently grant the same scopes as before.
    ...(missing === 'upstream_scope_required' && { prompt: 'consent' }),
    ...(prompt.includes('select_account') && { prompt: 'select_account' }),
    ...(requiresSignIn && { prompt: 'login' }),
    ...(uiLocales && { ui_locales: uiLocales }),
  }
  // The hint cannot lead to the method that is missing.
  const provider = needsContext ? undefined : enabledProvider(config, request.provider)
  const link = await returnLink(c, returnTo)
  return linkAddress(link, `/signin${provider ? `/${provider}` : ''}`, query)
}

/** The parameter `provider` is a hint: an id that is not enabled leads to the sign-in page. */
function enabledProvider({ providers }: Config, requested: string | undefined): string | undefined {
  return providers.find(({ id }) => id === requested)?.id
}
