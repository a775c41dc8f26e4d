import type * as oauth from 'oauth4webapi'
import { toEndpoint } from '../providers/configure.ts'
import type {
  AccountCallback,
  BoundedFetch,
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

/** A provider's configuration with every default filled in. */
export interface ResolvedProvider {
  id: string
  name: string
  type: 'oauth' | 'oidc'
  style: OAuthProviderButtonStyles
  clientId: string
  /** The configured secrets; the first one is tried first. */
  clientSecrets: readonly string[]
  clientAuth?: ((clientSecret: string) => oauth.ClientAuth) | undefined
  customFetch?: ((fetch: BoundedFetch) => BoundedFetch) | undefined
  clientIdParameter: string
  /** The redirect URI: here, or at the redirect proxy. */
  callbackUrl: string
  signinUrl: string
  redirectProxyUrl?: string | undefined
  issuer?: string | undefined
  /** Part of the identity of its accounts: the issuer without a trailing slash, or empty. */
  accountIssuer: string
  /** The address of the discovery document; absent if all endpoints are configured. */
  wellKnown: string | undefined
  jwks_endpoint: string | undefined
  endpointOrigins: readonly string[]
  authorization: { url: string | undefined; params: UrlParams }
  token: TokenEndpointHandler
  userinfo: UserinfoEndpointHandler
  promptParams: UrlParams
  /** Whether a new sign-in is proved by `auth_time`; otherwise it is only known to be recent. */
  sendsAuthTime: boolean
  codeChallengeEncoding: 'base64url' | 'hex' | 'none'
  sendsNonce: boolean
  /** The profile is read from the ID token, not from the userinfo endpoint. */
  readsIdToken: boolean
  allowDangerousEmailAccountLinking: boolean
  profile: ProfileCallback<unknown>
  /** Returns the tokens to store; by default none are. */
  account: AccountCallback
  revocation?: string | undefined
  scopeSeparator: string
  hasQrLogin: boolean
  accountIdFromTokens?: ((tokens: TokenSet) => string | undefined) | undefined
  client: oauth.Client
}

/** The id is part of URLs, cookies and stored accounts. */
const PROVIDER_ID = /^[a-z0-9_-]{1,32}$/

const DISCOVERY_PATH = '/.well-known/openid-configuration'

const DEFAULTS = {
  style: {},
  clientIdParameter: 'client_id',
  checks: ['pkce'] as readonly string[],
  codeChallengeEncoding: 'base64url',
  idToken: true,
  allowDangerousEmailAccountLinking: false,
  endpointOrigins: [],
  keepsTokens: false,
  hasQrLogin: false,
  scopeSeparator: ' ',
  profile: standardProfile,
  account: standardAccount,
} as const

const OIDC_DEFAULT_PARAMS = { scope: 'openid profile email' }
/**
 * With `max_age`, a provider must authenticate the user again and send `auth_time` (Core §3.1.2.1).
 */
const OIDC_DEFAULT_PROMPT_PARAMS = { prompt: 'login', max_age: '0' }

/** Fills in the defaults. Throws if the configuration is incomplete. */
export function resolveProvider(
  provider: Provider,
  issuer: string,
  proxyUrl?: string,
): ResolvedProvider {
  const config = { ...DEFAULTS, redirectProxyUrl: proxyUrl, ...supportedConfig(provider) }
  const { id, clientId = '', clientSecret = '', redirectProxyUrl } = config
  const isOidc = config.type === 'oidc'
  const { url, params } = toEndpoint(config.authorization)
  const resolved: ResolvedProvider = {
    ...config,
    clientId,
    accountIssuer: config.issuer?.replace(/\/$/, '') ?? '',
    clientSecrets: [clientSecret, ...(config.otherClientSecret ? [config.otherClientSecret] : [])],
    signinUrl: `${issuer}/api/auth/signin/${id}`,
    callbackUrl: `${redirectProxyUrl ?? `${issuer}/api/auth`}/callback/${id}`,
    wellKnown: config.wellKnown ?? (isOidc ? discoveryUrl(config.issuer) : undefined),
    authorization: { url, params: { ...(isOidc && OIDC_DEFAULT_PARAMS), ...params } },
    token: toEndpoint(config.token),
    userinfo: toEndpoint(config.userinfo),
    sendsAuthTime: isOidc && (config.sendsAuthTime ?? true),
    promptParams: config.promptParams ?? (isOidc ? OIDC_DEFAULT_PROMPT_PARAMS : {}),
    codeChallengeEncoding: config.checks.includes('pkce') ? config.codeChallengeEncoding : 'none',
    sendsNonce: isOidc && config.checks.includes('nonce'),
    readsIdToken: isOidc && config.idToken,
    profile: config.profile as ProfileCallback<unknown>,
    account: config.keepsTokens ? config.account : () => undefined,
    client: { client_id: clientId, ...config.client },
  }
  rejectIncomplete(resolved)
  return resolved
}

function supportedConfig(provider: Provider): OAuth2Config<unknown> | OIDCConfig<unknown> {
  const config = typeof provider === 'function' ? provider() : provider
  if (config.type === 'oauth' || config.type === 'oidc') return config
  throw new TypeError(
    `The provider ${config.id} has the type ${config.type}, which is not supported: this service signs users in through OAuth 2 and OpenID Connect only.`,
  )
}

function rejectIncomplete(provider: ResolvedProvider): void {
  const { id, wellKnown, authorization, token, userinfo, readsIdToken } = provider
  if (!PROVIDER_ID.test(id)) throw new TypeError(`${id} is not a valid provider id.`)
  const required = {
    clientId: provider.clientId,
    clientSecret: provider.clientSecrets[0],
    authorization: authorization.url || wellKnown,
    token: token.url || wellKnown,
    userinfo: userinfo.url || wellKnown || readsIdToken,
    issuer: provider.type === 'oauth' || wellKnown,
  }
  const missing = Object.entries(required)
    .filter(([, value]) => !value)
    .map(([name]) => name)
  if (missing.length > 0) throw new TypeError(`The provider ${id} lacks ${missing.join(', ')}.`)
}

function discoveryUrl(issuer: string | undefined): string | undefined {
  return issuer && issuer.replace(/\/$/, '') + DISCOVERY_PATH
}

/** The default `profile` callback: the standard claims of OpenID Connect. */
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

/**
 * The default `account` callback: the subset of the token set that the provider interface names.
 */
function standardAccount(tokens: TokenSet): TokenSet {
  const stored = [
    'access_token',
    'id_token',
    'refresh_token',
    'expires_at',
    'scope',
    'token_type',
    'session_state',
  ]
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => stored.includes(name)))
}
