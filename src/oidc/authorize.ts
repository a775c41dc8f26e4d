import type { Config } from '../config/config.ts'
import { digest } from '../crypto/digest.ts'
import { randomId, randomSecret } from '../crypto/random.ts'
import { AuthorizationError, requireStorage } from '../errors.ts'
import { createHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import { authorizationResponse } from '../http/authorization-response.tsx'
import { isDenied } from '../http/denied-request.ts'
import { addToLog } from '../http/request-log.ts'
import { MAX_RETURN_URL_LENGTH, returnParams } from '../http/return-url.ts'
import { readSessionCookie } from '../session/current.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'
import type { AuthorizationDemand, AuthorizationResult } from '../users/authorization.ts'
import { userObject } from '../users/user-object.ts'
import { type AuthorizationRequest, parseAuthorizationRequest } from './authorization-request.ts'
import { requestConsent, requiredConsent } from './consent.tsx'
import {
  REAUTHENTICATION_PARAMETER,
  requiredSignInTimes,
  sealSignInTime,
} from './reauthentication.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#AuthorizationEndpoint} */
export async function authorize(c: AppContext): Promise<Response> {
  const config = c.get('config')
  const params = new URL(c.req.url).searchParams
  const request = parseAuthorizationRequest(config, params)
  const { client, address } = request
  if (await isDenied(config, params)) {
    throw new AuthorizationError('access_denied', 'The user denied the request.', address)
  }
  const cookie = await readSessionCookie(c)
  const secret = randomSecret()
  const demand = await toDemand(c, request, params, await digest(secret))
  const result: AuthorizationResult = cookie
    ? await requireStorage(async () =>
        userObject(c.env, cookie.userId).authorize(cookie.key, demand),
      )
    : { kind: 'login_required' }

  if (result.kind === 'granted' && cookie) {
    const { userId } = cookie
    addToLog(c, { event: 'granted', userId, clientId: client.client_id })
    const handle = { userId, grantId: demand.grantId, secret, generation: 0 }
    return authorizationResponse(c, address, { code: await createHandle(config, 'code', handle) })
  }
  if (request.prompt.includes('none')) throw interactionRequired(result, request)
  if (result.kind === 'consent_required') return requestConsent(c, request, result.user)
  const needsUpstreamScope = result.kind === 'upstream_scope_required'
  return c.redirect(await signInUrl(c, request, params, needsUpstreamScope), 303)
}

/** What the request requires of the session, and the grant to open. */
async function toDemand(
  c: AppContext,
  request: AuthorizationRequest,
  params: URLSearchParams,
  key: string,
): Promise<AuthorizationDemand> {
  const { client, address, scope, resources, claims, nonce, codeChallenge } = request
  return {
    ...(await requiredSignInTimes(c.get('config'), request, params)),
    subject: await requiredSubject(c, request),
    forceConsent: request.prompt.includes('consent'),
    consent: client.first_party ? undefined : requiredConsent(request),
    upstreamScope: client.upstream_scope,
    grantId: randomId('gnt'),
    key,
    terms: {
      clientId: client.client_id,
      redirectUri: address.redirectUri,
      scope,
      resources,
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
  { address }: AuthorizationRequest,
): AuthorizationError {
  switch (kind) {
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

/** Our sign-in page, which returns to the same request. */
async function signInUrl(
  c: AppContext,
  request: AuthorizationRequest,
  params: URLSearchParams,
  needsUpstreamScope: boolean,
): Promise<string> {
  const config = c.get('config')
  const { address, prompt, maxAge, idTokenHint, subject, uiLocales } = request
  const repeated = new URLSearchParams(params)
  repeated.set(REAUTHENTICATION_PARAMETER, await sealSignInTime(config, params))
  const returnTo = `${config.issuer}/oidc/authorize?${repeated}`
  if (returnTo.length > MAX_RETURN_URL_LENGTH) {
    const text = 'The request is too long to be repeated after a sign-in.'
    throw new AuthorizationError('invalid_request', text, address)
  }
  // A user who is signed in but does not satisfy the request must not simply be sent back.
  const requiresSignIn =
    maxAge !== undefined ||
    idTokenHint !== undefined ||
    subject !== undefined ||
    prompt.includes('login') ||
    prompt.includes('select_account')
  const query = new URLSearchParams({
    ...(await returnParams(c, returnTo)),
    // Without a prompt, the provider would silently grant the same scopes as before.
    ...(needsUpstreamScope && { prompt: 'consent' }),
    ...(requiresSignIn && { prompt: 'login' }),
    ...(uiLocales && { ui_locales: uiLocales }),
  })
  const provider = enabledProvider(config, request.provider)
  return `/api/auth/signin${provider ? `/${provider}` : ''}?${query}`
}

/** The parameter `provider` is a hint: an id that is not enabled leads to the sign-in page. */
function enabledProvider({ providers }: Config, requested: string | undefined): string | undefined {
  return [...providers.keys()].find((id) => id === requested)
}
