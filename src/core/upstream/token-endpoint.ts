import { compactVerify, decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isObject, parseJsonObject } from '../../foundation/values/json.ts'
import type { TokenSet } from '../../provider-interface/oauth-types.ts'
import { noteAnswer } from '../metrics/count.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import { authorizationServer } from './authorization-server.ts'
import { callProviderFunction, normalize, providerFetch } from './call-provider-function.ts'
import { fetchProviderDocument } from './fetch-provider-document.ts'
import { digestCredentials, rejectionIn } from './our-credentials.ts'
import { PrivateJwk } from './private-jwk.ts'
import type { ResolvedProvider } from './resolved-provider.ts'
import { callbackError, invalidResponse } from './upstream-error.ts'

/** The account id that a token response contains, for a provider whose responses do. */
export async function accountIdFromTokens(
  provider: ResolvedProvider,
  tokens: TokenSet,
): Promise<string | undefined> {
  const read = provider.accountIdFromTokens
  return read && callProviderFunction('accountIdFromTokens', read, () => read(tokens))
}

/** The issuers of Microsoft that stand for many tenants. */
const ANY_TENANT = /\/(?:common|organizations|consumers)\//

const MAX_TENANTS = 100

/** The tenants that users have recently come from. Their endpoints and keys are cached with them. */
const tenants = new WeakMap<ResolvedProvider, Map<string, ResolvedProvider>>()

/** The server that must have issued the ID token of a token response. */
export async function issuingServer(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  response: Response,
): Promise<oauth.AuthorizationServer> {
  const { hasTenantIssuers, issuer = '', wellKnown = '' } = provider
  if (!hasTenantIssuers || !ANY_TENANT.test(issuer) || !response.ok) return server
  const { id_token } = parseJsonObject(await response.clone().text()) ?? {}
  const tenant = tenantOf(id_token)
  if (tenant === undefined) throw invalidResponse('The ID token names no tenant.')
  const known = tenants.get(provider) ?? new BoundedMap<string, ResolvedProvider>(MAX_TENANTS)
  tenants.set(provider, known)
  const ofTenant = (url: string) => url.replace(ANY_TENANT, `/${tenant}/`)
  // Keys of one tenant must not sign ID tokens of another, so those of the tenant are used.
  const tenantProvider = known.get(tenant) ?? {
    ...provider,
    issuer: ofTenant(issuer),
    wellKnown: ofTenant(wellKnown),
  }
  known.set(tenant, tenantProvider)
  return authorizationServer(tenantProvider)
}

/** The claim `tid` of an ID token that has not been verified. */
function tenantOf(idToken: unknown): string | undefined {
  try {
    const { tid } = decodeJwt<{ tid?: unknown }>(String(idToken))
    return typeof tid === 'string' && /^[\da-f-]{36}$/.test(tid) ? tid : undefined
  } catch {
    return undefined
  }
}

/**
 * Verifies the signature of the ID token in a token response that has been processed. With the
 * algorithms of HMAC, it is signed with the client secret (OpenID Connect Core §10.1).
 */
export async function verifyIdToken(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  { response, tokens }: { response: Response; tokens: { id_token?: string } },
): Promise<void> {
  const { id_token_signed_response_alg: algorithm = '' } = provider.client
  if (!algorithm.startsWith('HS')) return verifySignature(provider, server, response)
  const isValid = await Promise.any(
    provider.clientSecrets.map((secret) => {
      const key = new TextEncoder().encode(secret)
      return compactVerify(tokens.id_token ?? '', key, { algorithms: [algorithm] })
    }),
  ).catch(() => undefined)
  if (!isValid) throw invalidResponse('The ID token is not signed with the client secret.')
}

/** Verifies the signature of a JWT in a response that has been processed. */
export function verifySignature(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  response: Response,
): Promise<void> {
  return oauth.validateApplicationLevelSignature(server, response, {
    [oauth.allowInsecureRequests]: true, // boundedFetch limits plain http to loopback
    [oauth.customFetch]: (url) => fetchProviderDocument(provider, url),
  })
}

/** Sends a request to the token endpoint, and remembers whether it accepts our credentials. */
export async function requestTokens(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  send: (
    clientAuth: oauth.ClientAuth,
    options: oauth.TokenEndpointRequestOptions,
  ) => Promise<Response>,
): Promise<Response> {
  const options = requestOptions(provider, provider.token.normalizeResponse)
  const response = await withEachSecret(provider, server, (clientAuth) => send(clientAuth, options))
  const error = await rejectionIn(response)
  // Another error, such as that of an invalid code, says nothing about the credentials.
  if (response.ok || error !== undefined) {
    const credentials = await digestCredentials(provider)
    noteAnswer(provider.id, { credentials, at: Date.now(), error })
  }
  return response
}

/**
 * Sends a request with the client's secret. If the provider rejects the secret and a second one is
 * configured, the request is sent again with that: during a rotation only one of them is valid.
 */
export async function withEachSecret(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  send: (clientAuth: oauth.ClientAuth) => Promise<Response>,
): Promise<Response> {
  const [secret = '', otherSecret] = provider.clientSecrets
  const response = await send(clientAuthFor(provider, server, secret))
  if (otherSecret === undefined || (await rejectionIn(response)) === undefined) return response
  return send(clientAuthFor(provider, server, otherSecret))
}

/**
 * As configured; otherwise by `client_secret_post` unless the provider's metadata rules it out. If
 * the provider has its own way, that is its form of `client_secret_post`.
 */
function clientAuthFor(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  secret: string,
): oauth.ClientAuth {
  const method = provider.client['token_endpoint_auth_method']
  const usesOwn = method === undefined || method === 'client_secret_post'
  if (usesOwn && provider.clientAuth) return ownClientAuth(provider.clientAuth, secret)
  const supported = server.token_endpoint_auth_methods_supported
  const isPostSupported = supported?.includes('client_secret_post') ?? true
  switch (method ?? (isPostSupported ? 'client_secret_post' : 'client_secret_basic')) {
    case 'none':
      return oauth.None()
    case 'client_secret_basic':
      return ClientSecretBasic(secret)
    case 'client_secret_jwt':
      return oauth.ClientSecretJwt(secret)
    case 'private_key_jwt':
      return PrivateJwk(secret)
    default:
      return oauth.ClientSecretPost(secret)
  }
}

/** It depends on the configuration only, so any failure is the operator's to correct. */
function ownClientAuth(
  create: NonNullable<ResolvedProvider['clientAuth']>,
  secret: string,
): oauth.ClientAuth {
  return async (...args) => {
    try {
      await create(secret)(...args)
    } catch (cause) {
      throw callbackError('clientAuth', cause)
    }
  }
}

/**
 * RFC 6749 §2.3.1 requires both values to be form-encoded, which some providers do not reverse.
 * Letters, digits and `*-._` are therefore left as they are, as in forms; oauth4webapi also encodes
 * `-`, `_` and `.`, as in a UUID.
 */
function ClientSecretBasic(secret: string): oauth.ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const [id, password] = [client_id, secret].map((text) =>
      new URLSearchParams({ '': text }).toString().slice(1),
    )
    headers.set('Authorization', `Basic ${btoa(`${id}:${password}`)}`)
  }
}

export function requestOptions(
  provider: ResolvedProvider,
  normalizeResponse?: ResolvedProvider['token']['normalizeResponse'],
): oauth.TokenEndpointRequestOptions {
  const send = providerFetch(provider)
  return {
    [oauth.allowInsecureRequests]: true, // boundedFetch limits plain http to loopback
    [oauth.customFetch]: async (url, init) => {
      const headers = new Headers(provider.headers)
      for (const [name, value] of Object.entries(init.headers)) headers.set(name, value)
      const request = { ...init, headers: Object.fromEntries(headers) } as RequestInit
      const response = await send(url, request)
      return exposeError(await normalize(response, 'token', normalizeResponse))
    },
    headers: { 'User-Agent': 'vestibule' },
  }
}

/**
 * Corrects two deviations that many providers share: errors sent with status 200, and challenges in
 * `WWW-Authenticate`, which would hide the error code in the body.
 */
async function exposeError(response: Response): Promise<Response> {
  const text = await response.text()
  const body = parseJsonObject(text)
  if (!body) return new Response(text || null, response)
  const error = errorCodeOf(body['error'])
  if (error === undefined) return Response.json(body, { status: response.status })
  return Response.json({ ...body, error }, { status: Math.max(response.status, 400) })
}

/** The code of an error in a token response, which may be an object. `ok` is none for TikTok. */
export function errorCodeOf(error: unknown): string | undefined {
  if (isObject(error)) return error['code'] === 'ok' ? undefined : String(error['code'])
  return typeof error === 'string' && error !== '' ? error : undefined
}

/** Adds the time at which the access token expires, if the response says how long it is valid. */
export function withExpiry(tokens: oauth.TokenEndpointResponse): TokenSet {
  const { expires_in } = tokens
  if (typeof expires_in !== 'number' || expires_in <= 0) return tokens
  return { ...tokens, expires_at: nowInSeconds() + expires_in }
}
