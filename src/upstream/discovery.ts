import type * as oauth from 'oauth4webapi'
import { metadataFetch } from './bounded-fetch.ts'
import { refusal, refused } from './refusal.ts'
import type { ResolvedProvider } from './resolve.ts'

/** Providers change their endpoints rarely, and announce it. */
const ONE_HOUR = 3_600_000 // milliseconds

const servers = new WeakMap<
  ResolvedProvider,
  { server: oauth.AuthorizationServer; freshUntil: number }
>()

/** The provider's endpoints and keys: as configured, and for the rest as it tells at its discovery address. */
export async function serverOf(provider: ResolvedProvider): Promise<oauth.AuthorizationServer> {
  const known = servers.get(provider)
  if (known && Date.now() < known.freshUntil) return known.server
  const server = await find(provider)
  servers.set(provider, { server, freshUntil: Date.now() + ONE_HOUR })
  return server
}

async function find(provider: ResolvedProvider): Promise<oauth.AuthorizationServer> {
  const { authorization, token, userinfo, jwks_endpoint: jwksUri, wellKnown } = provider
  const configured = {
    ...(authorization.url && { authorization_endpoint: authorization.url }),
    ...(token.url && { token_endpoint: token.url }),
    ...(userinfo.url && { userinfo_endpoint: userinfo.url }),
    ...(jwksUri && { jwks_uri: jwksUri }),
  }
  if (!wellKnown) {
    return { issuer: provider.issuer ?? new URL(authorization.url ?? '').origin, ...configured }
  }
  const discovered = await discover(wellKnown, provider)
  return { ...discovered, ...configured }
}

/** {@link https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation} */
async function discover(
  wellKnown: string,
  provider: ResolvedProvider,
): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(provider.issuer ?? wellKnown.replace(/\/\.well-known\/.*$/, ''))
  const response = await metadataFetch(wellKnown)
  if (!response.ok) throw refusal(response)
  const server = await response.json<oauth.AuthorizationServer | null>()
  if (!server || URL.parse(server.issuer)?.href !== issuer.href) {
    throw refused('The discovery document is of another issuer.')
  }
  const allowed = [issuer.origin, ...provider.endpointOrigins]
  const endpoints = [
    server.authorization_endpoint,
    server.token_endpoint,
    server.userinfo_endpoint,
    server.revocation_endpoint,
    server.jwks_uri,
  ]
  for (const endpoint of endpoints) {
    // A document that leads elsewhere may lead anywhere, our own network included.
    if (endpoint && !allowed.includes(URL.parse(endpoint)?.origin ?? '')) {
      throw refused('The discovery document leads to another origin.')
    }
  }
  return server
}
