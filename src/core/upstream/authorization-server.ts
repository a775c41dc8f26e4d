import * as oauth from 'oauth4webapi'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { isPublicUrl } from '../fetch/public-url.ts'
import { fetchProviderDocument } from './fetch-provider-document.ts'
import type { ResolvedProvider } from './resolved-provider.ts'
import { invalidResponse } from './upstream-error.ts'

/** Providers change their endpoints rarely, and announce it. */
const CACHE_LIFETIME = 3_600_000 // milliseconds

const cache = new WeakMap<
  ResolvedProvider,
  { server: oauth.AuthorizationServer; freshUntil: number }
>()

/**
 * The provider's endpoints: those that are configured, and the rest from its discovery document.
 */
export async function authorizationServer(
  provider: ResolvedProvider,
): Promise<oauth.AuthorizationServer> {
  const cached = cache.get(provider)
  if (cached && Date.now() < cached.freshUntil) return cached.server
  const server = { ...(await discover(provider)), ...configuredEndpoints(provider) }
  cache.set(provider, { server, freshUntil: Date.now() + CACHE_LIFETIME })
  return server
}

function configuredEndpoints(provider: ResolvedProvider): Partial<oauth.AuthorizationServer> {
  const { authorization, token, userinfo, revocation, jwks_endpoint } = provider
  return {
    ...(authorization.url && { authorization_endpoint: authorization.url }),
    ...(token.url && { token_endpoint: token.url }),
    ...(userinfo.url && { userinfo_endpoint: userinfo.url }),
    ...(revocation && { revocation_endpoint: revocation }),
    ...(jwks_endpoint && { jwks_uri: jwks_endpoint }),
  }
}

/**
 * {@link https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation}
 */
async function discover(provider: ResolvedProvider): Promise<oauth.AuthorizationServer> {
  const { wellKnown, authorization } = provider
  if (!wellKnown) return { issuer: provider.issuer ?? new URL(authorization.url ?? '').origin }
  const issuer = new URL(provider.issuer ?? wellKnown)
  const response = await oauth.discoveryRequest(issuer, {
    [oauth.allowInsecureRequests]: true, // boundedFetch limits plain http to loopback
    [oauth.customFetch]: () => fetchProviderDocument(provider, wellKnown),
  })
  const server = await oauth.processDiscoveryResponse(issuer, response)
  rejectUnsafeEndpoints(issuer, server)
  return server
}

/**
 * A valid discovery document may name endpoints on any https origin, as those of Google, Cognito
 * and Entra do. It cannot direct us to the network or the machine that this service runs in, except
 * to the issuer's own origin, or from one port of this machine to another.
 */
function rejectUnsafeEndpoints(issuer: URL, server: oauth.AuthorizationServer): void {
  const endpoints = [
    server.authorization_endpoint,
    server.token_endpoint,
    server.userinfo_endpoint,
    server.revocation_endpoint,
    server.jwks_uri,
  ]
  for (const endpoint of endpoints.filter((address) => address !== undefined)) {
    const { protocol, origin } = URL.parse(endpoint) ?? {}
    const isOnSameMachine = isLoopback(issuer.href) && isLoopback(endpoint)
    if (protocol !== 'https:' && !isOnSameMachine) {
      throw invalidResponse('The discovery document names an endpoint that is not https.')
    }
    if (origin !== issuer.origin && !isOnSameMachine && !isPublicUrl(endpoint)) {
      throw invalidResponse('The discovery document names an endpoint in a private network.')
    }
  }
}
