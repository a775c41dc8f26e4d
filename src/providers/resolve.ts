import type * as oauth from 'oauth4webapi'
import { isLoopback } from '../config.ts'
import { toHandler } from './configure.ts'
import type {
  OAuth2Config,
  OAuthProviderButtonStyles,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from './oauth-types.ts'
import type { ProviderType } from './types.ts'

/** A provider ready to be used: nothing is optional that the exchange needs. */
export interface ResolvedProvider {
  id: string
  name: string
  type: ProviderType
  style: OAuthProviderButtonStyles
  clientId: string
  clientSecret: string
  clientIdParameter: string
  callbackUrl: string
  signinUrl: string
  authorization: { url: string; params: Record<string, string> }
  reconsider: Record<string, string>
  token: TokenEndpointHandler
  userinfo: UserinfoEndpointHandler<unknown> & { url: string }
  codeChallenge: 'base64url' | 'hex' | 'none'
  profile: NonNullable<OAuth2Config<unknown>['profile']>
  identity: OAuth2Config<unknown>['identity'] | undefined
  server: oauth.AuthorizationServer
  client: oauth.Client
  /** A stand-in on loopback is reached over http; nothing else is. */
  isLoopback: boolean
}

/** {@link ResolvedProvider.id} is part of URLs, cookies and stored accounts. */
const PROVIDER_ID = /^[a-z0-9_-]{1,32}$/

/** Fills in what a provider leaves to the service. */
export function resolveProvider<Profile>(
  provider: OAuth2Config<Profile>,
  issuer: string,
): ResolvedProvider {
  const { id, clientId, clientSecret, profile, checks = ['pkce'] } = provider
  if (!PROVIDER_ID.test(id)) throw new TypeError(`${id} cannot be the id of a provider.`)
  const authorization = toHandler(provider.authorization)
  const token = toHandler(provider.token) as TokenEndpointHandler
  const userinfo = toHandler(provider.userinfo) as UserinfoEndpointHandler<unknown>
  if (!clientId || !clientSecret || !profile)
    throw new TypeError(`The provider ${id} is not complete.`)
  if (!authorization.url || !token.url || !userinfo.url)
    throw new TypeError(`The provider ${id} lacks an endpoint.`)

  return {
    id,
    name: provider.name,
    type: provider.type,
    style: provider.style ?? {},
    clientId,
    clientSecret,
    clientIdParameter: provider.clientIdParameter ?? 'client_id',
    signinUrl: `${issuer}/api/auth/signin/${id}`,
    callbackUrl: `${issuer}/api/auth/callback/${id}`,
    authorization: { url: authorization.url, params: authorization.params ?? {} },
    reconsider: provider.reconsider ?? {},
    token,
    userinfo: { ...userinfo, url: userinfo.url },
    codeChallenge: checks.includes('pkce') ? (provider.codeChallenge ?? 'base64url') : 'none',
    profile: profile as ResolvedProvider['profile'],
    identity: provider.identity,
    server: {
      issuer: provider.issuer ?? new URL(authorization.url).origin,
      authorization_endpoint: authorization.url,
      token_endpoint: token.url,
    },
    client: { client_id: clientId, ...provider.client },
    isLoopback: isLoopback(token.url),
  }
}
