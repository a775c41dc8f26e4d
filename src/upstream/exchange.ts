import * as oauth from 'oauth4webapi'
import { SignInError } from '../errors.ts'
import type { BoundedFetch, TokenSet, User } from '../providers/oauth-types.ts'
import type { Attempt } from '../signin/attempt.ts'
import { boundedFetch, patientFetch } from './bounded-fetch.ts'
import { serverOf } from './discovery.ts'
import { verifySignature } from './id-token-signature.ts'
import { refusal, refused, refusedCallback } from './refusal.ts'
import type { ResolvedProvider } from './resolve.ts'
import { requestTokens, withExpiry } from './token-endpoint.ts'

/** Whom the provider has let through. */
export interface Identified {
  accountId: string
  tokens: TokenSet
  /** Absent when the provider named the person but could not show their profile just now. */
  user: User | undefined
}

/** Checks the callback, redeems its code once, and asks who that is. */
export async function identify(
  provider: ResolvedProvider,
  attempt: Attempt,
  callback: URLSearchParams,
): Promise<Identified> {
  const { tokens, claims } = await exchangeCode(provider, attempt, callback)
  const accountId = provider.identity?.(tokens)
  if (provider.identity && !accountId) throw new SignInError('provider_invalid')
  try {
    const user = await readUser(provider, tokens, claims)
    if (accountId !== undefined && accountId !== user.id) throw new SignInError('provider_invalid')
    return { accountId: user.id, tokens, user }
  } catch (error) {
    if (!isPassingTrouble(error) || accountId === undefined) throw error
    return { accountId, tokens, user: undefined }
  }
}

interface Exchanged {
  tokens: TokenSet
  /** What the ID token says, where there is one; its signature has been checked. */
  claims: oauth.IDToken | undefined
}

async function exchangeCode(
  provider: ResolvedProvider,
  attempt: Attempt,
  callback: URLSearchParams,
): Promise<Exchanged> {
  const { client } = provider
  try {
    const server = await serverOf(provider)
    const code = readCode(server, callback)
    const response = await (provider.token.request
      ? redeemItsWay(provider, server, attempt, callback)
      : redeem(provider, server, attempt, code))
    const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
      requireIdToken: provider.type === 'oidc',
      expectedNonce: provider.sendsNonce ? attempt.nonce : oauth.expectNoNonce,
    })
    const claims = oauth.getValidatedIdTokenClaims(result)
    if (claims && provider.type === 'oidc') {
      await verifySignature(server.jwks_uri ?? '', result.id_token ?? '')
    }
    return { tokens: withExpiry(result), claims }
  } catch (cause) {
    throw refusal(cause)
  }
}

/**
 * The code of an authorization response (RFC 6749 §4.1.2) from the provider that was asked (RFC 9207). That it belongs
 * to the attempt was seen when that was found by its state; and nothing in it came twice.
 */
function readCode(server: oauth.AuthorizationServer, callback: URLSearchParams): string {
  const { issuer, authorization_response_iss_parameter_supported: isPromised } = server
  if ((callback.get('iss') ?? (isPromised ? '' : issuer)) !== issuer)
    throw refused('The callback is not of the issuer that was asked.')
  const error = callback.get('error')
  if (error) throw refusedCallback(error, callback.get('error_type') ?? undefined)
  const code = callback.get('code')
  if (!code) throw refused('The callback has neither a code nor an error.')
  return code
}

/** Shows the code once. */
function redeem(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  { codeVerifier }: Attempt,
  code: string,
): Promise<Response> {
  return requestTokens(provider, server, {
    ...provider.token.params,
    grant_type: 'authorization_code',
    code,
    redirect_uri: provider.callbackUrl,
    ...(provider.codeChallenge !== 'none' && { code_verifier: codeVerifier }),
  })
}

/** A provider's own way to its tokens, held to the same checks as the generic one. */
async function redeemItsWay(
  { token }: ResolvedProvider,
  { token_endpoint: url = '' }: oauth.AuthorizationServer,
  { state, codeVerifier, nonce }: Attempt,
  callback: URLSearchParams,
): Promise<Response> {
  const context = {
    url,
    params: { ...token.params, ...Object.fromEntries(callback) },
    checks: { state, code_verifier: codeVerifier, nonce },
    fetch: boundedFetch,
  }
  const answer = await token.request?.(context)
  return Response.json(answer?.tokens ?? null)
}

async function readUser(
  provider: ResolvedProvider,
  tokens: TokenSet,
  claims: oauth.IDToken | undefined,
): Promise<User> {
  try {
    const profile = await readProfile(provider, tokens, claims)
    const user = await provider.profile(profile, tokens)
    if (!user.id) throw new SignInError('provider_invalid')
    return { ...user, id: String(user.id) }
  } catch (cause) {
    throw refusal(cause)
  }
}

/** From the ID token where it suffices, else from the userinfo endpoint, which must speak of the same person. */
async function readProfile(
  provider: ResolvedProvider,
  tokens: TokenSet,
  claims: oauth.IDToken | undefined,
): Promise<unknown> {
  if (claims && provider.readsIdToken) return claims
  const { userinfo_endpoint: url = '' } = await serverOf(provider)
  const { params = {}, request = requestProfile, conform } = provider.userinfo
  const fetch: BoundedFetch = async (address, init) => {
    const response = await patientFetch(address, init)
    return (await conform?.(response)) ?? response
  }
  const profile = await request({ url, params, tokens, fetch })
  const subject = profile && typeof profile === 'object' && 'sub' in profile && profile.sub
  if (provider.type === 'oidc' && subject !== claims?.sub) throw new SignInError('provider_invalid')
  return profile
}

/** The generic userinfo request (RFC 6750 §2.1). */
async function requestProfile(context: {
  url: string
  params: Record<string, string>
  tokens: TokenSet
  fetch: BoundedFetch
}): Promise<unknown> {
  const url = new URL(context.url)
  for (const [name, value] of Object.entries(context.params)) url.searchParams.set(name, value)
  const response = await context.fetch(url.href, {
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${context.tokens.access_token}`,
      // Some platforms answer nobody who does not say who they are.
      'User-Agent': 'vestibule',
    },
  })
  if (!response.ok) throw refusal(response)
  return response.json()
}

function isPassingTrouble(error: unknown): boolean {
  return error instanceof SignInError && error.code === 'provider_unavailable'
}
