import type { Client, ClientAuth, PrivateKey } from 'oauth4webapi'
import type { CommonProviderOptions, LocalSetting } from './common-options.ts'

export type Awaitable<T> = T | PromiseLike<T>

/** A token response as the provider sends it (RFC 6749 §5.1), and when the access token expires. */
export interface TokenSet {
  access_token?: string
  id_token?: string
  refresh_token?: string
  /** In seconds since 1970. */
  expires_at?: number
  expires_in?: number
  scope?: string
  session_state?: string
  // biome-ignore lint/suspicious/noExplicitAny: providers send what they want, such as `token_type`.
  [parameter: string]: any
}

/** A token response as `token.request` returns it: what is null counts as missing. */
export type ReturnedTokens = { [Name in keyof TokenSet]: TokenSet[Name] | null }

/**
 * {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims}, as providers send
 * them.
 */
export interface OIDCProfile extends Record<string, unknown> {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean | string
  picture?: string
  profile?: string
}

/**
 * What a provider's `profile` callback returns. Absent values stay absent. Additional fields are
 * stored with the account: JSON values, at most 4 KiB in all.
 */
export interface User {
  /** The provider's permanent id for the user. */
  id: string
  name?: string | null | undefined
  email?: string | null | undefined
  /** Whether the provider has verified the email address. Without it the address proves nothing. */
  emailVerified?: boolean | undefined
  image?: string | null | undefined
  username?: string | null | undefined
  /** The user's page at the provider. */
  url?: string | null | undefined
  /** The user's id across all apps of one developer, if the provider has one. */
  unionId?: string | null | undefined
  /** Further profile fields under the provider's names, for clients with the scope `platform`. */
  extras?: Record<string, string | number | boolean | undefined>
  [field: string]: unknown
}

/**
 * Receives the token set and returns the part of it that is stored with the account. The result is
 * awaited.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: the interface allows it to return nothing.
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

export type ProfileCallback<Profile> = (profile: Profile, tokens: TokenSet) => Awaitable<User>

/** A fetch with a timeout and a size limit that follows no redirects. */
export type BoundedFetch = (url: string, init?: RequestInit) => Promise<Response>

interface EndpointHandler<Params, Input, Output> {
  url?: string
  params?: Params
  /**
   * Sends the request instead of the generic implementation. Ours: `fetch`, and the `clientId` that
   * is in use, which may come from a setting.
   */
  request?: (
    context: Input & {
      url: string
      params: Params
      fetch: BoundedFetch
      clientId: string
      provider: ProviderContext
    },
  ) => Awaitable<Output>
  /** Corrects a response that deviates from the specification. */
  normalizeResponse?: (response: Response) => Awaitable<Response | undefined>
  /** The same, as Auth.js calls it. */
  conform?: (response: Response) => Awaitable<Response | undefined>
  /** The key for `private_key_jwt`, as in Auth.js. */
  clientPrivateKey?: CryptoKey | PrivateKey
}

/** The provider as Auth.js passes it to `request`. The URLs of endpoints have their parameters. */
export interface ProviderContext {
  id: string
  clientId: string
  clientSecret: string
  signinUrl: string
  callbackUrl: string
  authorization?: { url: URL }
  token?: { url: URL }
  userinfo?: { url: URL }
  [option: string]: unknown
}

export type UrlParams = Record<string, string>

export type AuthorizationEndpointHandler = EndpointHandler<UrlParams, object, never>

export type TokenEndpointHandler = EndpointHandler<
  UrlParams,
  { params: UrlParams; checks: OAuthChecks },
  { tokens: ReturnedTokens }
>

export type UserinfoEndpointHandler<Profile = unknown> = EndpointHandler<
  UrlParams,
  { tokens: TokenSet },
  Profile
>

/** The values the callback is checked against. */
export interface OAuthChecks {
  state?: string
  code_verifier?: string
  nonce?: string
}

export interface OAuthProviderButtonStyles {
  logo?: string
  /** @deprecated Use `brandColor`. */
  text?: string
  /** @deprecated Use `brandColor`. */
  bg?: string
  brandColor?: string
}

/** Where an operator registers an app with a provider, and what that page calls the credentials. */
export interface AppRegistration {
  /** The address of the page; absent if each organisation has its own. */
  url?: string
  /** The page's name for `clientId`, if that is not "Client ID". */
  idName?: string
  /** The page's name for `clientSecret`, if that is not "Client secret". */
  secretName?: string
}

/** The settings of the environment that only this provider has. */
export interface ProviderSettings {
  /** One with the name of a setting that all providers have replaces it. */
  list: readonly LocalSetting[]
  /** What is wrong with the settings although each has its format, by name. */
  findProblems?(settings: SettingValues): Record<string, string>
  /** The options that they stand for. */
  toOptions?(
    settings: SettingValues,
  ): Partial<Pick<OAuth2Config<unknown>, OAuthEndpoints | 'revocation'>>
}

/** What a provider sends, and what proves that it is from the provider. */
export interface ProviderNotification {
  headers: Headers
  body: ArrayBuffer
  clientId: string
  clientSecrets: readonly string[]
  /** The settings that the provider declares, by name. */
  settings: Readonly<Record<string, unknown>>
}

/** A user, or the provider, has withdrawn the authorization of this service. */
export interface RemovedAuthorization {
  accountId: string
  /** When, in seconds, by the provider's clock. */
  at: number
  /** Whether the account at the provider no longer exists. */
  isAccountDeleted: boolean
  /** The provider's code for the reason, for the log. */
  reason: number
}

/** All settings of the environment, by name. */
type SettingValues = Readonly<Record<string, string | undefined>>

type OAuthEndpoints = 'authorization' | 'token' | 'userinfo'

interface PartialIssuer {
  // biome-ignore lint/suspicious/noExplicitAny: the interface defines it so.
  jwks_endpoint: any
  issuer?: string
}

/** An OAuth 2 provider, as the provider interface specification defines it. */
export interface OAuth2Config<Profile> extends CommonProviderOptions, PartialIssuer {
  type: 'oauth'
  /** The address of a discovery document, which replaces the three endpoints. */
  wellKnown?: string
  authorization?: string | AuthorizationEndpointHandler
  token?: string | TokenEndpointHandler
  userinfo?: string | UserinfoEndpointHandler<Profile>
  profile?: ProfileCallback<Profile>
  account?: AccountCallback
  /** How the callback is protected: `['pkce']` by default. `state` is always sent. */
  checks?: readonly ('none' | 'state' | 'pkce')[]
  client?: Partial<Client>
  clientId?: string
  clientSecret?: string
  redirectProxyUrl?: string
  style?: OAuthProviderButtonStyles
  allowDangerousEmailAccountLinking?: boolean
  /** The options that a provider of Auth.js was called with. They are merged into the others. */
  options?: object

  /** Ours: the provider's name for `client_id` in authorization requests. */
  clientIdParameter?: string
  /**
   * Ours: how the provider expects an S256 challenge to be encoded. RFC 7636 requires base64url.
   */
  codeChallengeEncoding?: 'base64url' | 'hex'
  /**
   * Ours: how the client authenticates, if not by a method that oauth4webapi provides. It replaces
   * `client_secret_post`; other methods in `client` replace it.
   */
  clientAuth?: (clientSecret: string) => ClientAuth
  /** Ours: replaces the global fetch. The timeout and the size limit stay. */
  fetch?: typeof fetch
  /** Ours: wraps the fetch that sends all requests to the provider. */
  customFetch?: (fetch: BoundedFetch) => BoundedFetch
  /** Additional headers of token requests. */
  headers?: Record<string, string>
  /** Ours: a parameter of the callback whose JSON the profile has as a field of the same name. */
  profileParameter?: string
  /**
   * Ours: users are of many tenants of Microsoft, each with its own issuer, if the configured issuer
   * is that of `common`, `organizations` or `consumers`.
   */
  hasTenantIssuers?: boolean
  /**
   * Ours: the account's id in the token response. `profile` must return the same one, unless only
   * this function is built in. Existing users are found by it while the profile is unavailable.
   */
  accountIdFromTokens?: (tokens: TokenSet) => string | undefined
  /** Ours: authorization parameters that make the provider show its page again. */
  promptParams?: UrlParams
  /** Ours: false for an OpenID Provider that ignores `max_age` and sends no `auth_time`. */
  sendsAuthTime?: boolean
  /** Ours: organisations run it at their own address, which `AUTH_<ID>_ISSUER` names. */
  isSelfHosted?: boolean
  /** Ours: a second secret that is tried when the first is rejected, for rotations. */
  otherClientSecret?: string
  /** Ours: the revocation endpoint, if the discovery document does not name it. */
  revocation?: string
  /** Ours: the separator of scopes. RFC 6749 requires a space. */
  scopeSeparator?: string
  /**
   * Ours: scopes that users can grant here, besides those that every sign-in requests. One that
   * ends with a dot stands for all that begin with it.
   */
  knownScopes?: readonly string[]
  /** Ours: the names that the parameter `fields` of the userinfo endpoint may contain. */
  knownFields?: readonly string[]
  /** Ours: parameters of the callback that the token request must repeat. */
  callbackParameters?: readonly string[]
  /**
   * Ours: store the provider's tokens. By default they are dropped after the sign-in, unless there
   * is an `account` callback.
   */
  keepsTokens?: boolean
  /**
   * Ours: where an app is registered. Used by `npx vestibule-auth setup` and in the documentation.
   */
  registration?: AppRegistration
  /** Ours: the settings that only this provider has. */
  settings?: ProviderSettings
  /**
   * Ours: reads what the provider sends to `/api/auth/webhook/<id>`. Nothing if it does not concern
   * this service; then it is only acknowledged.
   */
  readNotification?: (
    notification: ProviderNotification,
  ) => Awaitable<RemovedAuthorization | 'invalid_signature' | 'invalid_event' | undefined>
}

/** An OpenID Connect provider. */
export interface OIDCConfig<Profile> extends Omit<OAuth2Config<Profile>, 'type' | 'checks'> {
  type: 'oidc'
  checks?: readonly ('none' | 'state' | 'nonce' | 'pkce')[]
  /**
   * When false, the profile is read from the userinfo endpoint. An ID token must still be returned.
   */
  idToken?: boolean
}
