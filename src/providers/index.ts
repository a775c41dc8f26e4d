/* The providers that are other services, and the types of all. Providers that are not imported are not bundled. */

export type { Client } from 'oauth4webapi'
export type {
  CommonProviderOptions,
  LocalSetting,
  ProviderType,
  WebAuthnProviderType,
} from '../provider-interface/common-options.ts'
export type {
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderType,
  CredentialsUserConfig,
  EmailConfig,
  EmailContent,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailSender,
  EmailSenderTools,
  EmailTheme,
  EmailUserConfig,
  OutgoingEmail,
  WebAuthnConfig,
  WebAuthnUserConfig,
} from '../provider-interface/local-types.ts'
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
} from '../provider-interface/oauth-types.ts'
export type {
  AppProvider,
  OAuthConfig,
  OAuthEndpointType,
  OAuthUserConfig,
  OIDCConfigInternal,
  OIDCUserConfig,
  Provider,
} from '../provider-interface/types.ts'
export { FortyTwo } from './42-school.ts'
export { Apple } from './apple.ts'
export { Asgardeo } from './asgardeo.ts'
export { Atlassian } from './atlassian.ts'
export { Auth0 } from './auth0.ts'
export { Authentik } from './authentik.ts'
export { AzureAD } from './azure-ad.ts'
export { AzureADB2C } from './azure-ad-b2c.ts'
export { BankIDNorway } from './bankid-no.ts'
export { BattleNet } from './battlenet.ts'
export { BeyondIdentity } from './beyondidentity.ts'
export { Bitbucket } from './bitbucket.ts'
export { Box } from './box.ts'
export { SAMLJackson } from './boxyhq-saml.ts'
export { Bungie } from './bungie.ts'
export { ClickUp } from './click-up.ts'
export { Cognito } from './cognito.ts'
export { Coinbase } from './coinbase.ts'
export { Concept2 } from './concept2.ts'
export { Descope } from './descope.ts'
export { Discord } from './discord.ts'
export { Dribbble } from './dribbble.ts'
export { Dropbox } from './dropbox.ts'
export { DuendeIdentityServer6 } from './duende-identity-server6.ts'
export { Eventbrite } from './eventbrite.ts'
export { EVEOnline } from './eveonline.ts'
export { Facebook } from './facebook.ts'
export { FACEIT } from './faceit.ts'
export { Figma } from './figma.ts'
export { Foursquare } from './foursquare.ts'
export { Freshbooks } from './freshbooks.ts'
export { Frontegg } from './frontegg.ts'
export { FusionAuth } from './fusionauth.ts'
export { GitHub } from './github.ts'
export { GitLab } from './gitlab.ts'
export { Google } from './google.ts'
export { HubSpot } from './hubspot.ts'
export { Huggingface } from './huggingface.ts'
export { IdentityServer4 } from './identity-server4.ts'
export { Instagram } from './instagram.ts'
export { Kakao } from './kakao.ts'
export { Keycloak } from './keycloak.ts'
export { Kinde } from './kinde.ts'
export { LINE } from './line.ts'
export { LinkedIn } from './linkedin.ts'
export { Logto } from './logto.ts'
export { Mailchimp } from './mailchimp.ts'
export { Mailru } from './mailru.ts'
export { Mastodon } from './mastodon.ts'
export { Mattermost } from './mattermost.ts'
export { MicrosoftEntraID } from './microsoft-entra-id.ts'
export { Naver } from './naver.ts'
export { Netlify } from './netlify.ts'
export { Nextcloud } from './nextcloud.ts'
export { Notion } from './notion.ts'
export { Oidc } from './oidc.ts'
export { Okta } from './okta.ts'
export { OneLogin } from './onelogin.ts'
export { OryHydra } from './ory-hydra.ts'
export { Osu } from './osu.ts'
export { Patreon } from './patreon.ts'
export { PingId } from './ping-id.ts'
export { Pinterest } from './pinterest.ts'
export { Pipedrive } from './pipedrive.ts'
export type {
  BuiltInProviderType,
  OAuthProviderType,
  RedirectableProviderType,
} from './provider-ids.ts'
export { Reddit } from './reddit.ts'
export { Roblox } from './roblox.ts'
export { Salesforce } from './salesforce.ts'
export { SimpleLogin } from './simplelogin.ts'
export { Slack } from './slack.ts'
export { Spotify } from './spotify.ts'
export { Strava } from './strava.ts'
export { Threads } from './threads.ts'
export type { TiktokProfile } from './tiktok/tiktok.ts'
export { TikTok } from './tiktok/tiktok.ts'
export { Todoist } from './todoist.ts'
export { Trakt } from './trakt.ts'
export { Twitch } from './twitch.ts'
export { Twitter } from './twitter.ts'
export { UnitedEffects } from './united-effects.ts'
export { Vipps } from './vipps.ts'
export { VK } from './vk.ts'
export { Webex } from './webex.ts'
export { WeChat } from './wechat.ts'
export { Wikimedia } from './wikimedia.ts'
export { WordPress } from './wordpress.ts'
export { WorkOS } from './workos.ts'
export { Yahoo } from './yahoo.ts'
export { Yandex } from './yandex.ts'
export { ZITADEL } from './zitadel.ts'
export { Zoho } from './zoho.ts'
export { Zoom } from './zoom.ts'
