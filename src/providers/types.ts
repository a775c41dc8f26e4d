import type { BuiltInProvider } from '../config/built-in-providers.ts'
import type { OAuth2Config, OIDCConfig } from './oauth-types.ts'
import type { CredentialsConfig, EmailConfig, WebAuthnConfig } from './other-kinds.ts'

/** Every kind of provider the interface knows. This service runs `oauth` and `oidc`. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | WebAuthnProviderType

export type WebAuthnProviderType = 'webauthn'

export type RedirectableProviderType = 'email' | 'credentials'

/** The providers in this box, by id. */
export type OAuthProviderType = BuiltInProvider

export type BuiltInProviderType =
  | RedirectableProviderType
  | OAuthProviderType
  | WebAuthnProviderType

export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

/** What every provider has, of whatever kind. */
export interface CommonProviderOptions {
  /** Identifies the provider among those configured, and is part of its URLs. */
  id: string
  /** What the button on the sign-in page calls it. */
  name: string
  type: ProviderType
}

/** A provider as frontends see it, at `GET /api/auth/providers`. */
export interface AppProvider extends CommonProviderOptions {
  signinUrl: string
  callbackUrl: string
}

export type OAuthConfig<Profile> = OIDCConfig<Profile> | OAuth2Config<Profile>

/** What a deployment may say about a provider of the box: anything but its kind. */
export type OAuthUserConfig<Profile> = Omit<Partial<OAuthConfig<Profile>>, 'options' | 'type'>

export type OIDCUserConfig<Profile> = Omit<Partial<OIDCConfig<Profile>>, 'options' | 'type'>

/** An OpenID Connect provider, ready for use. */
export type OIDCConfigInternal<Profile> = OAuthConfig<Profile> &
  Pick<OIDCConfig<Profile>, 'checks' | 'idToken'>

type Configured<P> =
  | OIDCConfig<P>
  | OAuth2Config<P>
  | EmailConfig
  | CredentialsConfig
  | WebAuthnConfig

/** A provider's configuration, or a function that returns it. */
// biome-ignore lint/suspicious/noExplicitAny: the interface says that P is any by default.
export type Provider<P = any> = Configured<P> | (() => Configured<P>)
