import { describe, expectTypeOf, it } from 'vitest'
import type {
  CommonProviderOptions,
  ProviderType,
} from '../../src/provider-interface/common-options.ts'
import type {
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderType,
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailUserConfig,
} from '../../src/provider-interface/local-types.ts'
import type {
  AccountCallback,
  AuthorizationEndpointHandler,
  OAuth2Config,
  OAuthChecks,
  OAuthProviderButtonStyles,
  OIDCConfig,
  ProfileCallback,
  TokenEndpointHandler,
  TokenSet,
  User,
  UserinfoEndpointHandler,
} from '../../src/provider-interface/oauth-types.ts'
import type {
  AppProvider,
  OAuthConfig,
  OAuthEndpointType,
  OAuthUserConfig,
  OIDCConfigInternal,
  OIDCUserConfig,
  Provider,
} from '../../src/provider-interface/types.ts'
import type {
  BuiltInProviderType,
  OAuthProviderType,
  RedirectableProviderType,
} from '../../src/providers/provider-ids.ts'
import type { TiktokProfile } from '../../src/providers/tiktok/tiktok.ts'

interface Profile {
  sub: string
}

describe('the provider interface', () => {
  it('has the provider types', () => {
    expectTypeOf<ProviderType>().toEqualTypeOf<
      'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'
    >()
    expectTypeOf<RedirectableProviderType>().toEqualTypeOf<'email' | 'credentials'>()
    expectTypeOf<OAuthEndpointType>().toEqualTypeOf<'authorization' | 'token' | 'userinfo'>()
    expectTypeOf<EmailProviderType>().toEqualTypeOf<'email'>()
    expectTypeOf<CredentialsProviderType>().toEqualTypeOf<'credentials'>()
    expectTypeOf<'tiktok' | 'webauthn' | 'passkey'>().toExtend<OAuthProviderType>()
    expectTypeOf<
      OAuthProviderType | RedirectableProviderType | 'webauthn'
    >().toEqualTypeOf<BuiltInProviderType>()
  })

  it('describes a provider to apps (§2.2, §2.3)', () => {
    expectTypeOf<CommonProviderOptions>().toEqualTypeOf<{
      id: string
      name: string
      type: ProviderType
    }>()
    expectTypeOf<AppProvider>().toExtend<CommonProviderOptions>()
    expectTypeOf<Pick<AppProvider, 'callbackUrl' | 'signinUrl'>>().toEqualTypeOf<{
      callbackUrl: string
      signinUrl: string
    }>()
  })

  it('has every field of an OAuth 2 provider (§2.4)', () => {
    type Config = OAuth2Config<Profile>
    expectTypeOf<Config>().toExtend<CommonProviderOptions>()
    expectTypeOf<Config['type']>().toEqualTypeOf<'oauth'>()
    expectTypeOf<Config['account']>().toEqualTypeOf<AccountCallback | undefined>()
    expectTypeOf<Config['allowDangerousEmailAccountLinking']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Config['authorization']>().toEqualTypeOf<
      string | AuthorizationEndpointHandler | undefined
    >()
    expectTypeOf<Config['token']>().toEqualTypeOf<string | TokenEndpointHandler | undefined>()
    expectTypeOf<Config['userinfo']>().toEqualTypeOf<
      string | UserinfoEndpointHandler<Profile> | undefined
    >()
    expectTypeOf<NonNullable<Config['checks']>[number]>().toEqualTypeOf<'none' | 'state' | 'pkce'>()
    expectTypeOf<Config['profile']>().toEqualTypeOf<ProfileCallback<Profile> | undefined>()
    expectTypeOf<Config['style']>().toEqualTypeOf<OAuthProviderButtonStyles | undefined>()
    expectTypeOf<
      Pick<Config, 'clientId' | 'clientSecret' | 'issuer' | 'redirectProxyUrl' | 'wellKnown'>
    >().toEqualTypeOf<{
      clientId?: string
      clientSecret?: string
      issuer?: string
      redirectProxyUrl?: string
      wellKnown?: string
    }>()
    expectTypeOf<Config>().toHaveProperty('jwks_endpoint').toBeAny()
    expectTypeOf<Config>().toHaveProperty('client')
    expectTypeOf<OAuthProviderButtonStyles>().toEqualTypeOf<{
      bg?: string
      brandColor?: string
      logo?: string
      text?: string
    }>()
  })

  it('has other values of type and checks for OpenID Connect, and idToken (§2.5)', () => {
    expectTypeOf<OIDCConfig<Profile>['type']>().toEqualTypeOf<'oidc'>()
    expectTypeOf<NonNullable<OIDCConfig<Profile>['checks']>[number]>().toEqualTypeOf<
      'none' | 'state' | 'nonce' | 'pkce'
    >()
    expectTypeOf<OIDCConfig<Profile>['idToken']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<keyof OIDCConfig<Profile>>().toEqualTypeOf<
      keyof OAuth2Config<Profile> | 'idToken'
    >()
  })

  it('has the related types (§2.6)', () => {
    expectTypeOf<OAuthConfig<Profile>>().toEqualTypeOf<
      OIDCConfig<Profile> | OAuth2Config<Profile>
    >()
    expectTypeOf<OAuthUserConfig<Profile>>().not.toHaveProperty('type')
    expectTypeOf<OIDCUserConfig<Profile>>().not.toHaveProperty('type')
    expectTypeOf<OIDCConfigInternal<Profile>>().toHaveProperty('idToken')
    expectTypeOf<OAuth2Config<Profile>>().toExtend<Provider<Profile>>()
    expectTypeOf<() => OIDCConfig<Profile>>().toExtend<Provider<Profile>>()
    expectTypeOf<EmailConfig>().toExtend<Provider>()
    expectTypeOf<CredentialsConfig>().toExtend<Provider>()
    expectTypeOf<AccountCallback>().parameter(0).toEqualTypeOf<TokenSet>()
    expectTypeOf<ProfileCallback<Profile>>().parameters.toEqualTypeOf<[Profile, TokenSet]>()
    expectTypeOf<ProfileCallback<Profile>>().returns.toEqualTypeOf<User | PromiseLike<User>>()
    type TokenInput = Parameters<NonNullable<TokenEndpointHandler['request']>>[0]
    expectTypeOf<TokenInput['checks']>().toEqualTypeOf<OAuthChecks>()
    type UserinfoInput = Parameters<NonNullable<UserinfoEndpointHandler<Profile>['request']>>[0]
    expectTypeOf<UserinfoInput['tokens']>().toEqualTypeOf<TokenSet>()
  })

  it('has every field of an email provider', () => {
    type Params = EmailProviderSendVerificationRequestParams
    expectTypeOf<EmailConfig>().toExtend<CommonProviderOptions>()
    expectTypeOf<EmailConfig['type']>().toEqualTypeOf<'email'>()
    expectTypeOf<Pick<EmailConfig, 'from' | 'maxAge' | 'options'>>().toEqualTypeOf<{
      from?: string
      maxAge?: number
      options?: EmailUserConfig
    }>()
    expectTypeOf<NonNullable<EmailConfig['sendVerificationRequest']>>().toEqualTypeOf<
      (params: Params) => void | PromiseLike<void>
    >()
    expectTypeOf<NonNullable<EmailConfig['normalizeIdentifier']>>().toEqualTypeOf<
      (identifier: string) => string
    >()
    expectTypeOf<
      Pick<Params, 'identifier' | 'url' | 'expires' | 'provider' | 'token' | 'request'>
    >().toEqualTypeOf<{
      identifier: string
      url: string
      expires: Date
      provider: EmailConfig
      token: string
      request: Request
    }>()
    expectTypeOf<EmailUserConfig>().not.toHaveProperty('type')
    expectTypeOf<EmailUserConfig>().not.toHaveProperty('options')
  })

  it('has every field of a credentials provider, whose authorize knows the fields of the form', () => {
    expectTypeOf<CredentialsConfig>().toExtend<CommonProviderOptions>()
    expectTypeOf<CredentialsConfig['type']>().toEqualTypeOf<'credentials'>()
    expectTypeOf<CredentialInput>().toEqualTypeOf<{
      label?: string
      type?: string
      value?: string
      placeholder?: string
      autocomplete?: string
    }>()
    type Inputs = { username: { label: string }; password: { type: 'password' } }
    type Authorize = CredentialsConfig<Inputs>['authorize']
    expectTypeOf<Authorize>().parameters.toEqualTypeOf<
      [Partial<Record<'username' | 'password', unknown>>, Request]
    >()
    expectTypeOf<Authorize>().returns.toEqualTypeOf<
      User | null | undefined | PromiseLike<User | null | undefined>
    >()
  })

  it('has the profile of the video platform (§2.1)', () => {
    type PlatformUser = TiktokProfile['data']['user']
    expectTypeOf<
      Pick<PlatformUser, 'open_id' | 'display_name' | 'username' | 'avatar_url'>
    >().toEqualTypeOf<{
      open_id: string
      display_name: string
      username: string
      avatar_url: string
    }>()
    expectTypeOf<PlatformUser['follower_count']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<PlatformUser['is_verified']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<PlatformUser['email']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<TiktokProfile['error']>().toEqualTypeOf<{
      code: string
      message: string
      log_id: string
    }>()
  })
})
