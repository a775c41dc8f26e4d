import type { CommonProviderOptions, WebAuthnProviderType } from './common-options.ts'
import type { CredentialsConfig, EmailConfig, WebAuthnConfig } from './local-types.ts'
import type { OAuth2Config, OIDCConfig } from './oauth-types.ts'

export type RedirectableProviderType = 'email' | 'credentials'

/** The ids of the built-in providers. */
export type OAuthProviderType =
  | '42-school'
  | 'apple'
  | 'asgardeo'
  | 'atlassian'
  | 'auth0'
  | 'authentik'
  | 'azure-ad'
  | 'azure-ad-b2c'
  | 'bankid-no'
  | 'battlenet'
  | 'beyondidentity'
  | 'bitbucket'
  | 'box'
  | 'boxyhq-saml'
  | 'bungie'
  | 'click-up'
  | 'cognito'
  | 'coinbase'
  | 'concept2'
  | 'descope'
  | 'discord'
  | 'dribbble'
  | 'dropbox'
  | 'duende-identity-server6'
  | 'eventbrite'
  | 'eveonline'
  | 'facebook'
  | 'faceit'
  | 'figma'
  | 'foursquare'
  | 'freshbooks'
  | 'frontegg'
  | 'fusionauth'
  | 'github'
  | 'gitlab'
  | 'google'
  | 'hubspot'
  | 'huggingface'
  | 'hydra'
  | 'identity-server4'
  | 'instagram'
  | 'kakao'
  | 'keycloak'
  | 'kinde'
  | 'line'
  | 'linkedin'
  | 'logto'
  | 'mailchimp'
  | 'mailru'
  | 'mastodon'
  | 'mattermost'
  | 'microsoft-entra-id'
  | 'naver'
  | 'netlify'
  | 'nextcloud'
  | 'notion'
  | 'oidc'
  | 'okta'
  | 'onelogin'
  | 'osu'
  | 'patreon'
  | 'ping-id'
  | 'pinterest'
  | 'pipedrive'
  | 'reddit'
  | 'roblox'
  | 'salesforce'
  | 'simplelogin'
  | 'slack'
  | 'spotify'
  | 'strava'
  | 'threads'
  | 'tiktok'
  | 'todoist'
  | 'trakt'
  | 'twitch'
  | 'twitter'
  | 'united-effects'
  | 'vipps'
  | 'vk'
  | 'webex'
  | 'wechat'
  | 'wikimedia'
  | 'wordpress'
  | 'workos'
  | 'yahoo'
  | 'yandex'
  | 'zitadel'
  | 'zoho'
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
