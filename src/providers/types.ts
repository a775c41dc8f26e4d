import type { CommonProviderOptions, WebAuthnProviderType } from './common-options.ts'
import type { CredentialsConfig, EmailConfig, WebAuthnConfig } from './local-types.ts'
import type { OAuth2Config, OIDCConfig } from './oauth-types.ts'

export type RedirectableProviderType = 'email' | 'credentials'

/** The ids of the built-in providers. */
export type OAuthProviderType =
  | 'tiktok'
  | 'apple'
  | 'discord'
  | 'dropbox'
  | 'facebook'
  | 'github'
  | 'gitlab'
  | 'google'
  | 'instagram'
  | 'kakao'
  | 'line'
  | 'linkedin'
  | 'microsoft-entra-id'
  | 'naver'
  | 'oidc'
  | 'reddit'
  | 'slack'
  | 'spotify'
  | 'twitch'
  | 'twitter'
  | 'yahoo'
  | 'zoom'

export type BuiltInProviderType =
  | RedirectableProviderType
  | OAuthProviderType
  | WebAuthnProviderType

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

/** A provider's configuration, or a function that returns it. */
// biome-ignore lint/suspicious/noExplicitAny: the interface defines P as any by default.
export type Provider<P = any> = ProviderConfig<P> | (() => ProviderConfig<P>)
