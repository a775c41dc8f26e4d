/* The providers that are other services, and the types of all. Providers that are not imported are not bundled. */

export type { Client } from 'oauth4webapi'
export { Apple } from './apple.ts'
export type { CommonProviderOptions, ProviderType, WebAuthnProviderType } from './common-options.ts'
export { Discord } from './discord.ts'
export { Dropbox } from './dropbox.ts'
export { Facebook } from './facebook.ts'
export { GitHub } from './github.ts'
export { GitLab } from './gitlab.ts'
export { Google } from './google.ts'
export { Instagram } from './instagram.ts'
export { Kakao } from './kakao.ts'
export { Line } from './line.ts'
export { LinkedIn } from './linkedin.ts'
export type {
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderType,
  EmailConfig,
  EmailProviderType,
  EmailUserConfig,
  WebAuthnConfig,
  WebAuthnUserConfig,
} from './local-types.ts'
export { MicrosoftEntraId } from './microsoft-entra-id.ts'
export { Naver } from './naver.ts'
export type {
  AccountCallback,
  AuthorizationEndpointHandler,
  BoundedFetch,
  OAuth2Config,
  OAuthChecks,
  OAuthProviderButtonStyles,
  OIDCConfig,
  OIDCProfile,
  ProfileCallback,
  TokenEndpointHandler,
  TokenSet,
  User,
  UserinfoEndpointHandler,
} from './oauth-types.ts'
export { Oidc } from './oidc.ts'
export { Reddit } from './reddit.ts'
export { Slack } from './slack.ts'
export { Spotify } from './spotify.ts'
export type { TiktokProfile } from './tiktok.ts'
export { TikTok } from './tiktok.ts'
export { Twitch } from './twitch.ts'
export { Twitter } from './twitter.ts'
export type {
  AppProvider,
  BuiltInProviderType,
  OAuthConfig,
  OAuthEndpointType,
  OAuthProviderType,
  OAuthUserConfig,
  OIDCConfigInternal,
  OIDCUserConfig,
  Provider,
  RedirectableProviderType,
} from './types.ts'
export { Yahoo } from './yahoo.ts'
export { Zoom } from './zoom.ts'
