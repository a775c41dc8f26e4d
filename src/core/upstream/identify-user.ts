import * as oauth from 'oauth4webapi'
import * as z from 'zod/mini'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { parseJsonObject } from '../../foundation/values/json.ts'
import { builtIn, isBuiltIn } from '../../provider-interface/configure.ts'
import type {
  BoundedFetch,
  ProviderContext,
  ReturnedTokens,
  TokenEndpointHandler,
  TokenSet,
  User,
} from '../../provider-interface/oauth-types.ts'
import { requireSameAccount, withQuery } from '../../provider-interface/quirks.ts'
import type { SignInUser } from '../config/callbacks.ts'
import { authorizationServer } from './authorization-server.ts'
import type { AttemptSecrets } from './authorization-url.ts'
import { callProviderFunction, normalize, providerFetch } from './call-provider-function.ts'
import type { ResolvedProvider } from './resolved-provider.ts'
import { retryingFetch } from './retrying-fetch.ts'
import {
  accountIdFromTokens,
  errorCodeOf,
  issuingServer,
  requestTokens,
  verifyIdToken,
  verifySignature,
  withExpiry,
} from './token-endpoint.ts'
import { invalidResponse, translateUpstreamError } from './upstream-error.ts'
import { InvalidUserError, parseUser, profileClaims } from './user-schema.ts'

/** The provider account a user has just proved to own. */
export interface IdentifiedUser {
  accountId: string
  /** The account's id in the token response, if the provider sends one there. */
  idInTokens?: string | undefined
  tokens: TokenSet
  /** When the provider authenticated the user, if a verified ID token says so. */
  authenticatedAt: number | undefined
  /**
   * How this service authenticated the user itself (RFC 8176). Another service proves nothing of
   * this kind.
   */
  amr?: readonly string[]
  /** How users recognise the account, if not by their name at the provider. */
  label?: string
  /**
   * Absent if the provider identified the user but its profile endpoint is unavailable, or has no
   * profiles.
   */
  user: User | undefined
  /** The user of an account that was created here, if the provider has no profiles. */
  owner?: SignInUser & { id: string }
  /** The user was already signed in, and proved to be present. */
  isConfirmation?: boolean
  /** What the provider sent about the user; absent if {@link user} is. */
  profile: unknown
}

/** Checks the callback, exchanges its code once, and reads the user's profile. */
export async function identifyUser(
  provider: ResolvedProvider,
  attempt: AttemptSecrets,
  callback: URLSearchParams,
): Promise<IdentifiedUser> {
  const { tokens, claims } = await exchangeCode(provider, attempt, callback)
  const authenticatedAt = provider.type === 'oidc' ? claims?.auth_time : undefined
  const idInTokens = await accountIdFromTokens(provider, tokens)
  if (provider.accountIdFromTokens && !idInTokens) {
    throw invalidResponse('The token response has no id of the account.')
  }
  try {
    const { user, profile } = await readUser(
      provider,
      tokens,
      withParameter(provider, claims, callback),
    )
    if (mustHaveIdInTokens(provider)) requireSameAccount(user.id, idInTokens)
    return { accountId: user.id, idInTokens, tokens, authenticatedAt, user, profile }
  } catch (error) {
    const isTransient = error instanceof SignInError && error.code === 'provider_unavailable'
    if (!isTransient || idInTokens === undefined) throw error
    const accountId = idInTokens
    return { accountId, tokens, authenticatedAt, user: undefined, profile: undefined }
  }
}

/**
 * Whether `profile` must return the id in the token response. With a built-in provider, the
 * deployment's own `profile` may return another one: the provider compares its responses itself.
 */
function mustHaveIdInTokens({ hasBuiltInProfile, accountIdFromTokens }: ResolvedProvider): boolean {
  if (!accountIdFromTokens) return false
  return hasBuiltInProfile || !isBuiltIn(accountIdFromTokens)
}

/** Apple sends a user's name only in a parameter of the first callback. */
function withParameter(
  { profileParameter }: ResolvedProvider,
  claims: oauth.IDToken | undefined,
  callback: URLSearchParams,
): oauth.IDToken | undefined {
  if (!claims || profileParameter === undefined) return claims
  const value = parseJsonObject(callback.get(profileParameter) ?? '')
  return value ? { ...claims, [profileParameter]: value as oauth.JsonObject } : claims
}

interface ExchangedCode {
  tokens: TokenSet
  /** The claims of the ID token, if there is one. For OpenID Connect, its signature is verified. */
  claims: oauth.IDToken | undefined
}

async function exchangeCode(
  provider: ResolvedProvider,
  attempt: AttemptSecrets,
  callback: URLSearchParams,
): Promise<ExchangedCode> {
  const { client } = provider
  try {
    const server = await authorizationServer(provider)
    // oauth4webapi accepts an empty `iss`, but one that is present must be the provider's (RFC 9207
    // §2.4).
    if (callback.get('iss') === '') throw invalidResponse('The callback has an empty iss.')
    const params = oauth.validateAuthResponse(server, client, callback, attempt.state)
    if (!params.get('code')) throw invalidResponse('The callback has no code.')
    const response = provider.token.request
      ? await requestWithHandler(provider, provider.token.request, server, attempt, params)
      : await requestWithCode(provider, server, attempt, params)
    const issuer = await issuingServer(provider, server, response)
    const result = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
      requireIdToken: provider.type === 'oidc',
      expectedNonce: provider.sendsNonce ? attempt.nonce : oauth.expectNoNonce,
    })
    const tokens = withExpiry(result)
    if (provider.type === 'oidc') await verifyIdToken(provider, issuer, { response, tokens })
    return { tokens, claims: oauth.getValidatedIdTokenClaims(result) }
  } catch (cause) {
    throw translateUpstreamError(cause)
  }
}

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3} */
function requestWithCode(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  { codeVerifier }: AttemptSecrets,
  params: URLSearchParams,
): Promise<Response> {
  const repeated = Object.fromEntries(
    provider.callbackParameters.map((name) => [name, params.get(name) ?? '']),
  )
  return requestTokens(provider, server, (clientAuth, options) =>
    oauth.authorizationCodeGrantRequest(
      server,
      provider.client,
      clientAuth,
      params,
      provider.callbackUrl,
      provider.codeChallengeEncoding === 'none' ? oauth.nopkce : codeVerifier,
      { ...options, additionalParameters: { ...provider.token.params, ...repeated } },
    ),
  )
}

/** A deployment's own token request, whose result passes the same checks as the generic one. */
async function requestWithHandler(
  provider: ResolvedProvider,
  request: NonNullable<TokenEndpointHandler['request']>,
  server: oauth.AuthorizationServer,
  { state, codeVerifier, nonce }: AttemptSecrets,
  callback: URLSearchParams,
): Promise<Response> {
  const { token, clientId } = provider
  const { token_endpoint: url = '' } = server
  const fetch = providerFetch(provider)
  return callProviderFunction('token.request', request, async () => {
    const { tokens } = await request({
      url,
      params: { ...token.params, ...Object.fromEntries(callback) },
      checks: { state, code_verifier: codeVerifier, nonce },
      clientId,
      provider: providerContext(provider, server),
      fetch: async (address, init) =>
        normalize(await fetch(address, init), 'token', token.normalizeResponse),
    })
    return toTokenResponse(provider, tokens)
  })
}

/** What oauth4webapi requires of a token response, except for its ID token. */
const returnedTokens = z.lazy(() =>
  z.looseObject({
    access_token: requiredText(),
    token_type: z._default(z.string().check(z.regex(/^bearer$/i)), 'bearer'),
    id_token: z.optional(requiredText()),
    refresh_token: z.optional(requiredText()),
    scope: z.optional(z.string()),
    expires_in: z.optional(z.coerce.number().check(z.nonnegative())),
  }),
)

function requiredText() {
  return z.string().check(z.minLength(1))
}

/**
 * The token response that a deployment's function returned, or the error that it received. Any
 * other result is a bug in the function.
 */
function toTokenResponse({ type }: ResolvedProvider, tokens: ReturnedTokens): Response {
  const present = Object.entries(tokens).filter(([, value]) => value !== null && value !== '')
  const response = Object.fromEntries(present)
  const code = errorCodeOf(response['error'])
  if (code !== undefined) return Response.json({ ...response, error: code }, { status: 400 })
  const { data, error } = returnedTokens.safeParse(response)
  if (error) throw new TypeError(`It returned no valid ${error.issues[0]?.path.join('.')}.`)
  if (type === 'oidc' && data.id_token === undefined) {
    throw new TypeError('It returned no id_token, which a provider of the type oidc has.')
  }
  return Response.json(data)
}

/** The user as the provider describes them: in the claims of an ID token, or in a response. */
export async function readUser(
  provider: ResolvedProvider,
  tokens: TokenSet,
  claims: oauth.IDToken | undefined,
): Promise<{ user: User; profile: unknown }> {
  try {
    const profile = await readProfile(provider, tokens, claims)
    const user = await callProviderFunction('profile', provider.profile, (map) =>
      map(profile, tokens),
    )
    const claimed = provider.hasBuiltInProfile ? profileClaims(profile, provider.type) : {}
    return { user: { ...claimed, ...parseUser(user, provider) }, profile }
  } catch (cause) {
    if (cause instanceof InvalidUserError) {
      throw invalidResponse(`The profile callback returned ${cause.message}.`)
    }
    throw translateUpstreamError(cause)
  }
}

/**
 * From the ID token if it is sufficient, otherwise from the userinfo endpoint, which must describe
 * the same user.
 */
async function readProfile(
  provider: ResolvedProvider,
  tokens: TokenSet,
  claims: oauth.IDToken | undefined,
): Promise<unknown> {
  if (claims && provider.readsIdToken) return claims
  const server = await authorizationServer(provider)
  const { userinfo_endpoint: url = '' } = server
  const { params = {}, normalizeResponse } = provider.userinfo
  const request =
    provider.userinfo.request ??
    builtIn((context: ProfileRequest) => requestProfile(provider, context, claims?.sub))
  const send = providerFetch(provider, retryingFetch)
  const fetch: BoundedFetch = async (address, init) =>
    normalize(await send(address, init), 'userinfo', normalizeResponse)
  const profile = await callProviderFunction('userinfo.request', request, () =>
    request({
      url,
      params,
      tokens,
      fetch,
      clientId: provider.clientId,
      provider: providerContext(provider, server),
    }),
  )
  const subject = profile && typeof profile === 'object' && 'sub' in profile && profile.sub
  // OpenID Connect Core §5.3.2: the response may have been swapped for that of another user.
  if (provider.type === 'oidc' && subject !== claims?.sub) {
    throw invalidResponse('The userinfo response has another sub than the ID token.')
  }
  return profile
}

/** What a provider's own `request` learns about the provider, besides what it was created with. */
function providerContext(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
): ProviderContext {
  const { authorization, token, userinfo, clientSecrets, ...rest } = provider
  const { authorization_endpoint, token_endpoint, userinfo_endpoint } = server
  return {
    ...rest,
    clientSecret: clientSecrets[0] ?? '',
    ...(authorization_endpoint && {
      authorization: { url: withQuery(authorization_endpoint, authorization.params) },
    }),
    ...(token_endpoint && { token: { url: withQuery(token_endpoint, token.params ?? {}) } }),
    ...(userinfo_endpoint && {
      userinfo: { url: withQuery(userinfo_endpoint, userinfo.params ?? {}) },
    }),
  }
}

interface ProfileRequest {
  url: string
  params: Record<string, string>
  tokens: TokenSet
  fetch: BoundedFetch
}

/** The generic userinfo request (RFC 6750 §2.1). */
async function requestProfile(
  provider: ResolvedProvider,
  context: ProfileRequest,
  subject: string | undefined,
): Promise<unknown> {
  const { client } = provider
  const url = withQuery(context.url, context.params)
  const response = await oauth.protectedResourceRequest(
    context.tokens.access_token ?? '',
    'GET',
    url,
    // Some providers reject requests without a User-Agent.
    new Headers({ Accept: 'application/json', 'User-Agent': 'vestibule' }),
    null,
    {
      [oauth.allowInsecureRequests]: true, // boundedFetch limits plain http to loopback
      [oauth.customFetch]: (address, init) => context.fetch(address, init as RequestInit),
    },
  )
  if (!response.ok) throw new Error('The userinfo request failed.', { cause: response })
  if (client.userinfo_signed_response_alg === undefined) return response.json()
  const server = await authorizationServer(provider)
  const expected = subject ?? oauth.skipSubjectCheck
  const profile = await oauth.processUserInfoResponse(server, client, expected, response)
  await verifySignature(provider, server, response)
  return profile
}
