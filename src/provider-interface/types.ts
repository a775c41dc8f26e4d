import type { Client } from 'oauth4webapi'
import type { CommonProviderOptions } from './common-options.ts'
import type { CredentialsConfig, EmailConfig, WebAuthnConfig } from './local-types.ts'
import type {
  AccountCallback,
  AuthorizationEndpointHandler,
  Awaitable,
  OAuth2Config,
  OIDCConfig,
  ProfileCallback,
  TokenEndpointHandler,
  User,
  UserinfoEndpointHandler,
} from './oauth-types.ts'

export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

/** A provider as `GET /api/auth/providers` returns it. */
export interface AppProvider extends CommonProviderOptions {
  signinUrl: string
  callbackUrl: string
}

export type OAuthConfig<Profile> = OIDCConfig<Profile> | OAuth2Config<Profile>

/** The options of a built-in provider: everything except its type. */
export type OAuthUserConfig<Profile> = Omit<Partial<OAuthConfig<Profile>>, 'options' | 'type'>

export type OIDCUserConfig<Profile> = Omit<Partial<OIDCConfig<Profile>>, 'options' | 'type'>

/** An OpenID Connect configuration as the interface defines it internally. */
export type OIDCConfigInternal<Profile> = OAuthConfig<Profile> &
  Pick<OIDCConfig<Profile>, 'checks' | 'idToken'>

type ProviderConfig<P> =
  | OIDCConfig<P>
  | OAuth2Config<P>
  | EmailConfig
  | CredentialsConfig
  | WebAuthnConfig

/* biome-ignore-start lint/suspicious/noExplicitAny: the types of Auth.js, and of the interface. */

/**
 * A configuration for Auth.js. Its functions may return users without an id, and nothing; their
 * arguments are the same, so that TypeScript knows the types of those of a function.
 */
type AuthJsConfig<Config extends OAuthConfig<any>> = Omit<
  Config,
  OAuthEndpointType | 'account' | 'client' | 'jwks_endpoint' | 'profile' | 'redirectProxyUrl'
> & {
  jwks_endpoint?: any
  authorization?: string | AuthJsEndpoint<AuthorizationEndpointHandler>
  token?: string | AuthJsEndpoint<TokenEndpointHandler>
  userinfo?: string | AuthJsEndpoint<UserinfoEndpointHandler<any>>
  profile?: (...args: Parameters<ProfileCallback<any>>) => Awaitable<AuthJsUser>
  account?: (...args: Parameters<AccountCallback>) => unknown
  client?: Partial<Client>
  redirectProxyUrl?: string | undefined
}

/** Without the index signature of {@link User}. */
type AuthJsUser = Partial<Pick<User, 'id' | 'name' | 'email' | 'image'>>

type AuthJsEndpoint<Handler extends { request?: (...args: any[]) => unknown }> = Omit<
  Handler,
  'params' | 'request'
> & {
  params?: Record<string, any>
  request?: (...args: Parameters<NonNullable<Handler['request']>>) => any
}

type AcceptedConfig<P> =
  | ProviderConfig<P>
  | AuthJsConfig<OAuth2Config<any>>
  | AuthJsConfig<OIDCConfig<any>>

/** A provider's configuration, or a function that returns it. */
export type Provider<P = any> = AcceptedConfig<P> | ((options?: any) => AcceptedConfig<P>)

/* biome-ignore-end lint/suspicious/noExplicitAny: see above. */
