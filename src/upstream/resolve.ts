import type * as oauth from 'oauth4webapi'
import { toHandler } from '../providers/configure.ts'
import type {
  AccountCallback,
  OAuth2Config,
  OAuthProviderButtonStyles,
  OIDCConfig,
  OIDCProfile,
  ProfileCallback,
  TokenEndpointHandler,
  TokenSet,
  UrlParams,
  UserinfoEndpointHandler,
} from '../providers/oauth-types.ts'
import type { Provider } from '../providers/types.ts'

/** A provider with everything filled in that the service knows without asking it. */
export interface ResolvedProvider {
  id: string
  name: string
  type: 'oauth' | 'oidc'
  style: OAuthProviderButtonStyles
  clientId: string
  /** The configured secrets, the one to try first in front. */
  clientSecrets: readonly string[]
  /** Makes the secret that is sent of one that is configured. */
  secret: (clientSecret: string, clientId: string) => string | PromiseLike<string>
  clientIdParameter: string
  /** Where the platform is told to return to: here, or at the redirect proxy. */
  callbackUrl: string
  signinUrl: string
  redirectProxyUrl?: string | undefined
  issuer?: string | undefined
  /** Set when the endpoints have to be asked for. */
  wellKnown: string | undefined
  jwks_endpoint: string | undefined
  endpointOrigins: readonly string[]
  authorization: { url: string | undefined; params: UrlParams }
  token: TokenEndpointHandler
  userinfo: UserinfoEndpointHandler
  reconsider: UrlParams
  codeChallenge: 'base64url' | 'hex' | 'none'
  sendsNonce: boolean
  /** People are described by the ID token, not by the userinfo endpoint. */
  readsIdToken: boolean
  allowDangerousEmailAccountLinking: boolean
  profile: ProfileCallback<unknown>
  /** What is kept of a token set: nothing, unless the deployment says so. */
  account: AccountCallback
  revocation?: string | undefined
  scopeSeparator: string
  hasQrCode: boolean
  identity?: ((tokens: TokenSet) => string | undefined) | undefined
  client: oauth.Client
}

/** {@link ResolvedProvider.id} is part of URLs, cookies and stored accounts. */
const PROVIDER_ID = /^[a-z0-9_-]{1,32}$/

const DISCOVERY = '/.well-known/openid-configuration'

/** What a provider need not say. */
const DEFAULTS = {
  style: {},
  clientIdParameter: 'client_id',
  checks: ['pkce'] as readonly string[],
  codeChallenge: 'base64url',
  idToken: true,
  allowDangerousEmailAccountLinking: false,
  endpointOrigins: [],
  keepsTokens: false,
  hasQrCode: false,
  scopeSeparator: ' ',
  secret: (clientSecret: string) => clientSecret,
  profile: standardProfile,
  account: standardAccount,
} as const

/** What an OpenID Connect provider need not say. */
const OIDC_PARAMS = { scope: 'openid profile email' }
const OIDC_RECONSIDER = { prompt: 'login' }

/** Fills in what a provider leaves to the service. */
export function resolveProvider(
  provider: Provider,
  issuer: string,
  proxyUrl?: string,
): ResolvedProvider {
  const config = { ...DEFAULTS, redirectProxyUrl: proxyUrl, ...runnable(provider) }
  const { id, clientId = '', clientSecret = '', redirectProxyUrl } = config
  const isOidc = config.type === 'oidc'
  const { url, params } = toHandler(config.authorization)
  const resolved: ResolvedProvider = {
    ...config,
    clientId,
    clientSecrets: [clientSecret, ...(config.otherClientSecret ? [config.otherClientSecret] : [])],
    signinUrl: `${issuer}/api/auth/signin/${id}`,
    callbackUrl: `${redirectProxyUrl ?? `${issuer}/api/auth`}/callback/${id}`,
    wellKnown: config.wellKnown ?? (isOidc ? discoveryOf(config.issuer) : undefined),
    authorization: { url, params: { ...(isOidc && OIDC_PARAMS), ...params } },
    token: toHandler(config.token),
    userinfo: toHandler(config.userinfo),
    reconsider: config.reconsider ?? (isOidc ? OIDC_RECONSIDER : {}),
    codeChallenge: config.checks.includes('pkce') ? config.codeChallenge : 'none',
    sendsNonce: isOidc && config.checks.includes('nonce'),
    readsIdToken: isOidc && config.idToken,
    profile: config.profile as ProfileCallback<unknown>,
    account: config.keepsTokens ? config.account : () => undefined,
    client: { client_id: clientId, ...config.client },
  }
  refuseIncomplete(resolved)
  return resolved
}

/** A provider of a kind that this service runs. */
function runnable(provider: Provider): OAuth2Config<unknown> | OIDCConfig<unknown> {
  const config = typeof provider === 'function' ? provider() : provider
  if (config.type === 'oauth' || config.type === 'oidc') return config
  throw new TypeError(
    `The provider ${config.id} is of the kind ${config.type}, which this service does not run: it signs people in through OAuth 2 and OpenID Connect only.`,
  )
}

function refuseIncomplete(provider: ResolvedProvider): void {
  const { id, wellKnown, authorization, token, userinfo, readsIdToken } = provider
  if (!PROVIDER_ID.test(id)) throw new TypeError(`${id} cannot be the id of a provider.`)
  const needed = {
    clientId: provider.clientId,
    clientSecret: provider.clientSecrets[0],
    authorization: authorization.url || wellKnown,
    token: token.url || wellKnown,
    userinfo: userinfo.url || wellKnown || readsIdToken,
    issuer: provider.type === 'oauth' || wellKnown,
  }
  const missing = Object.keys(needed).filter((name) => !needed[name as keyof typeof needed])
  if (missing.length > 0) throw new TypeError(`The provider ${id} lacks ${missing.join(', ')}.`)
}

function discoveryOf(issuer: string | undefined): string | undefined {
  return issuer && issuer.replace(/\/$/, '') + DISCOVERY
}

/** What is made of a profile whose provider says nothing about it: the claims of OpenID Connect. */
function standardProfile(claims: OIDCProfile) {
  return {
    id: claims.sub ?? String(claims['id'] ?? ''),
    name: claims.name ?? claims.nickname ?? claims.preferred_username,
    email: claims.email,
    // Some providers send booleans as text.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    image: claims.picture,
    username: claims.preferred_username,
    url: claims.profile,
  }
}

/** What is stored of a token set whose provider says nothing about it. */
function standardAccount(tokens: TokenSet): TokenSet {
  const kept = [
    'access_token',
    'id_token',
    'refresh_token',
    'expires_at',
    'scope',
    'token_type',
    'session_state',
  ]
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => kept.includes(name)))
}
