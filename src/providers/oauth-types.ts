import type { Client } from 'oauth4webapi'
import type { CommonProviderOptions } from './types.ts'

type Awaitable<T> = T | PromiseLike<T>

/** What a token endpoint answers, in its own spelling (RFC 6749 §5.1), and when the access token ends. */
export interface TokenSet {
  access_token?: string
  id_token?: string
  refresh_token?: string
  /** In seconds since 1970. */
  expires_at?: number
  expires_in?: number
  scope?: string
  token_type?: string
  session_state?: string
  [parameter: string]: unknown
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims}, as providers send them. */
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

/** What a provider's `profile` callback makes of a profile. What is absent stays absent. */
export interface User {
  /** The provider's own, lasting name for the person. */
  id: string
  name?: string | null | undefined
  email?: string | null | undefined
  /** Only what the provider itself vouches for; without it an email address proves nothing. */
  emailVerified?: boolean | undefined
  image?: string | null | undefined
  username?: string | null | undefined
  /** The person's page at the provider. */
  url?: string | null | undefined
  /** The person's name across all apps of one developer, where a provider has such a thing. */
  unionId?: string | null | undefined
  /** What else the provider says of them, in its own words, for clients that may have it. */
  extras?: Record<string, string | number | boolean | undefined>
}

/** Receives the token set, returns what of it is stored with the account. */
// biome-ignore lint/suspicious/noConfusingVoidType: the interface lets it return nothing.
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

export type ProfileCallback<Profile> = (profile: Profile, tokens: TokenSet) => Awaitable<User>

/** A fetch that ends: within a deadline, within a size, without following a redirect. */
export type BoundedFetch = (url: string, init?: RequestInit) => Promise<Response>

interface EndpointHandler<Params, Input, Output> {
  url?: string
  params?: Params
  /** Makes the request in place of the generic one. */
  request?: (
    context: Input & { url: string; params: Params; fetch: BoundedFetch },
  ) => Awaitable<Output>
  /** Turns what the provider answers into what the specification asks. */
  conform?: (response: Response) => Awaitable<Response | undefined>
}

export type UrlParams = Record<string, string>

export type AuthorizationEndpointHandler = EndpointHandler<UrlParams, object, never>

export type TokenEndpointHandler = EndpointHandler<
  UrlParams,
  { params: UrlParams; checks: OAuthChecks },
  { tokens: TokenSet }
>

export type UserinfoEndpointHandler<Profile = unknown> = EndpointHandler<
  UrlParams,
  { tokens: TokenSet },
  Profile
>

/** What the callback is checked against. */
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

interface PartialIssuer {
  // biome-ignore lint/suspicious/noExplicitAny: the interface says so.
  jwks_endpoint: any
  issuer?: string
}

/** A provider of OAuth 2, as the provider interface specification describes it. */
export interface OAuth2Config<Profile> extends CommonProviderOptions, PartialIssuer {
  type: 'oauth'
  /** For OpenID Connect: the discovery document that replaces the three endpoints. */
  wellKnown?: string
  authorization?: string | AuthorizationEndpointHandler
  token?: string | TokenEndpointHandler
  userinfo?: string | UserinfoEndpointHandler<Profile>
  profile?: ProfileCallback<Profile>
  account?: AccountCallback
  /** What protects the callback. `['pkce']` by default; `state` is sent in any case. */
  checks?: readonly ('none' | 'state' | 'pkce')[]
  client?: Partial<Client>
  clientId?: string
  clientSecret?: string
  redirectProxyUrl?: string
  style?: OAuthProviderButtonStyles
  allowDangerousEmailAccountLinking?: boolean

  /** Ours: what this platform calls `client_id`. */
  clientIdParameter?: string
  /** Ours: how it spells an S256 challenge. RFC 7636 says base64url. */
  codeChallenge?: 'base64url' | 'hex'
  /** Ours: whom the token response itself names, to hold the profile against. */
  identity?: (tokens: TokenSet) => string | undefined
  /** Ours: what to add to the authorization request so that people can change the account. */
  reconsider?: UrlParams
  /** Ours: origins besides the issuer's own that its discovery document may send us to. */
  endpointOrigins?: readonly string[]
  /** Ours: the secret to try when the first is refused, while it is being replaced. */
  otherClientSecret?: string
  /** Ours: where the platform is told that its tokens are needed no more, unless discovery says. */
  revocation?: string
  /** Ours: what stands between scopes. RFC 6749 says a space. */
  scopeSeparator?: string
  /** Ours: people can sign in by scanning a code with its app. */
  hasQrCode?: boolean
  /** Ours: tokens are dropped after the sign-in, unless the deployment says otherwise. */
  keepsTokens?: boolean
  /** Ours: makes the secret that is sent out of the one that is configured. */
  secret?: (clientSecret: string, clientId: string) => Awaitable<string>
}

/** A provider of OpenID Connect. */
export interface OIDCConfig<Profile> extends Omit<OAuth2Config<Profile>, 'type' | 'checks'> {
  type: 'oidc'
  checks?: readonly ('none' | 'state' | 'nonce' | 'pkce')[]
  /** When false, people's data comes from the userinfo endpoint. An ID token must still be returned. */
  idToken?: boolean
}
