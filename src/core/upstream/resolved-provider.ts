import type * as oauth from 'oauth4webapi'
import { builtIn, isBuiltIn, toEndpoint } from '../../provider-interface/configure.ts'
import type {
  AccountCallback,
  BoundedFetch,
  OAuthProviderButtonStyles,
  OIDCProfile,
  ProfileCallback,
  TokenEndpointHandler,
  TokenSet,
  UrlParams,
  UserinfoEndpointHandler,
} from '../../provider-interface/oauth-types.ts'
import type { AnyProvider } from '../config/providers.ts'

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
  fetch?: typeof fetch | undefined
  customFetch?: ((fetch: BoundedFetch) => BoundedFetch) | undefined
  headers: Readonly<Record<string, string>>
  profileParameter?: string | undefined
  hasTenantIssuers: boolean
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
  /**
   * Whether `profile` is part of this service. Values of the wrong type that it returns are then
   * the provider's fault and are dropped; otherwise they are a bug in the deployment's own
   * callback.
   */
  hasBuiltInProfile: boolean
  keepsTokens?: boolean
  account?: AccountCallback
  revocation?: string | undefined
  scopeSeparator: string
  knownScopes: readonly string[]
  callbackParameters: readonly string[]
  accountIdFromTokens?: ((tokens: TokenSet) => string | undefined) | undefined
  readNotification?: AnyProvider['readNotification']
  client: oauth.Client
}

const DISCOVERY_PATH = '/.well-known/openid-configuration'

const DEFAULTS = {
  style: {},
  headers: {},
  hasTenantIssuers: false,
  clientIdParameter: 'client_id',
  checks: ['pkce'] as readonly string[],
  codeChallengeEncoding: 'base64url',
  idToken: true,
  allowDangerousEmailAccountLinking: false,
  callbackParameters: [] as readonly string[],
  scopeSeparator: ' ',
  knownScopes: [] as readonly string[],
} as const

const OIDC_DEFAULT_PARAMS = { scope: 'openid profile email' }
/**
 * With `max_age`, a provider must authenticate the user again and send `auth_time` (Core §3.1.2.1).
 */
const OIDC_DEFAULT_PROMPT_PARAMS = { prompt: 'login', max_age: '0' }

/** Fills in the defaults. The configuration has been validated before. */
export function resolveProvider(
  provider: AnyProvider,
  issuer: string,
  proxyUrl?: string,
): ResolvedProvider {
  const config = { ...DEFAULTS, redirectProxyUrl: proxyUrl, ...provider }
  const { id, clientId = '', clientSecret = '', redirectProxyUrl } = config
  const isOidc = config.type === 'oidc'
  const { url, params } = toEndpoint(config.authorization, 'authorization')
  const discoveredIssuer = config.issuer ?? issuerOfDocument(config.wellKnown)
  return {
    ...config,
    clientId,
    accountIssuer: (discoveredIssuer ?? '').replace(/\/$/, ''),
    issuer: discoveredIssuer,
    clientSecrets: [clientSecret, ...(config.otherClientSecret ? [config.otherClientSecret] : [])],
    signinUrl: `${issuer}/api/auth/signin/${id}`,
    callbackUrl: `${redirectProxyUrl ?? `${issuer}/api/auth`}/callback/${id}`,
    wellKnown: config.wellKnown ?? (isOidc ? discoveryUrl(config.issuer) : undefined),
    authorization: { url, params: { ...(isOidc && OIDC_DEFAULT_PARAMS), ...params } },
    token: toEndpoint(config.token, 'token'),
    userinfo: toEndpoint(config.userinfo, 'userinfo'),
    ...authenticationFacts(config),
    codeChallengeEncoding: config.checks.includes('pkce') ? config.codeChallengeEncoding : 'none',
    sendsNonce: isOidc && config.checks.includes('nonce'),
    readsIdToken: isOidc && config.idToken,
    profile: (config.profile ?? builtIn(standardProfile)) as ProfileCallback<unknown>,
    hasBuiltInProfile: config.profile === undefined || isBuiltIn(config.profile),
    client: { ...config.client, client_id: clientId },
  }
}

/** What the provider can be asked for, and confirms, about the authentication of users. */
export function authenticationFacts({
  type,
  sendsAuthTime = true,
  promptParams,
}: Pick<AnyProvider, 'type' | 'sendsAuthTime' | 'promptParams'>) {
  const isOidc = type === 'oidc'
  return {
    sendsAuthTime: isOidc && sendsAuthTime,
    promptParams: promptParams ?? (isOidc ? OIDC_DEFAULT_PROMPT_PARAMS : {}),
  }
}

function discoveryUrl(issuer: string | undefined): string | undefined {
  return issuer && issuer.replace(/\/$/, '') + DISCOVERY_PATH
}

/**
 * The issuer whose discovery document is at this address: OpenID Connect adds the path of the
 * document to the issuer, RFC 8414 §3.1 inserts it after the host.
 */
function issuerOfDocument(wellKnown: string | undefined): string | undefined {
  return wellKnown?.replace(/\/\.well-known\/[^/]+/, '')
}

/** The default `profile` callback: the standard claims of OpenID Connect. */
function standardProfile(claims: OIDCProfile) {
  return {
    id: (claims.sub ?? claims['id']) as string,
    name: claims.name ?? claims.nickname ?? claims.preferred_username,
    email: claims.email,
    // Some providers send booleans as text.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    image: claims.picture,
    username: claims.preferred_username,
    url: claims.profile,
  }
}
