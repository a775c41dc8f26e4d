import { describe, expectTypeOf, it } from 'vitest'
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
} from '../../src/providers/oauth-types.ts'
import type {
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderType,
  EmailConfig,
  EmailProviderType,
  EmailUserConfig,
} from '../../src/providers/other-kinds.ts'
import type { TiktokProfile } from '../../src/providers/tiktok.ts'
import type {
  AppProvider,
  BuiltInProviderType,
  CommonProviderOptions,
  OAuthConfig,
  OAuthEndpointType,
  OAuthProviderType,
  OAuthUserConfig,
  OIDCConfigInternal,
  OIDCUserConfig,
  Provider,
  ProviderType,
  RedirectableProviderType,
} from '../../src/providers/types.ts'

interface P {
  sub: string
}

describe('the provider interface', () => {
  it('names its kinds', () => {
    expectTypeOf<ProviderType>().toEqualTypeOf<
      'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'
    >()
    expectTypeOf<RedirectableProviderType>().toEqualTypeOf<'email' | 'credentials'>()
    expectTypeOf<OAuthEndpointType>().toEqualTypeOf<'authorization' | 'token' | 'userinfo'>()
    expectTypeOf<EmailProviderType>().toEqualTypeOf<'email'>()
    expectTypeOf<CredentialsProviderType>().toEqualTypeOf<'credentials'>()
    expectTypeOf<'tiktok'>().toExtend<OAuthProviderType>()
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
    type C = OAuth2Config<P>
    expectTypeOf<C>().toExtend<CommonProviderOptions>()
    expectTypeOf<C['type']>().toEqualTypeOf<'oauth'>()
    expectTypeOf<C['account']>().toEqualTypeOf<AccountCallback | undefined>()
    expectTypeOf<C['allowDangerousEmailAccountLinking']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<C['authorization']>().toEqualTypeOf<
      string | AuthorizationEndpointHandler | undefined
    >()
    expectTypeOf<C['token']>().toEqualTypeOf<string | TokenEndpointHandler | undefined>()
    expectTypeOf<C['userinfo']>().toEqualTypeOf<string | UserinfoEndpointHandler<P> | undefined>()
    expectTypeOf<NonNullable<C['checks']>[number]>().toEqualTypeOf<'none' | 'state' | 'pkce'>()
    expectTypeOf<C['profile']>().toEqualTypeOf<ProfileCallback<P> | undefined>()
    expectTypeOf<C['style']>().toEqualTypeOf<OAuthProviderButtonStyles | undefined>()
    expectTypeOf<
      Pick<C, 'clientId' | 'clientSecret' | 'issuer' | 'redirectProxyUrl' | 'wellKnown'>
    >().toEqualTypeOf<{
      clientId?: string
      clientSecret?: string
      issuer?: string
      redirectProxyUrl?: string
      wellKnown?: string
    }>()
    expectTypeOf<C>().toHaveProperty('jwks_endpoint').toBeAny()
    expectTypeOf<C>().toHaveProperty('client')
    expectTypeOf<OAuthProviderButtonStyles>().toEqualTypeOf<{
      bg?: string
      brandColor?: string
      logo?: string
      text?: string
    }>()
  })

  it('differs for OpenID Connect in type, checks and idToken (§2.5)', () => {
    expectTypeOf<OIDCConfig<P>['type']>().toEqualTypeOf<'oidc'>()
    expectTypeOf<NonNullable<OIDCConfig<P>['checks']>[number]>().toEqualTypeOf<
      'none' | 'state' | 'nonce' | 'pkce'
    >()
    expectTypeOf<OIDCConfig<P>['idToken']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<keyof OIDCConfig<P>>().toEqualTypeOf<keyof OAuth2Config<P> | 'idToken'>()
  })

  it('has the related types (§2.6)', () => {
    expectTypeOf<OAuthConfig<P>>().toEqualTypeOf<OIDCConfig<P> | OAuth2Config<P>>()
    expectTypeOf<OAuthUserConfig<P>>().not.toHaveProperty('type')
    expectTypeOf<OIDCUserConfig<P>>().not.toHaveProperty('type')
    expectTypeOf<OIDCConfigInternal<P>>().toHaveProperty('idToken')
    expectTypeOf<OAuth2Config<P>>().toExtend<Provider<P>>()
    expectTypeOf<() => OIDCConfig<P>>().toExtend<Provider<P>>()
    expectTypeOf<EmailConfig>().toExtend<Provider>()
    expectTypeOf<CredentialsConfig>().toExtend<Provider>()
    expectTypeOf<EmailUserConfig>().not.toHaveProperty('type')
    expectTypeOf<CredentialInput>().toHaveProperty('label')
    expectTypeOf<AccountCallback>().parameter(0).toEqualTypeOf<TokenSet>()
    expectTypeOf<ProfileCallback<P>>().parameters.toEqualTypeOf<[P, TokenSet]>()
    expectTypeOf<ProfileCallback<P>>().returns.toEqualTypeOf<User | PromiseLike<User>>()
    type TokenInput = Parameters<NonNullable<TokenEndpointHandler['request']>>[0]
    expectTypeOf<TokenInput['checks']>().toEqualTypeOf<OAuthChecks>()
    type UserinfoInput = Parameters<NonNullable<UserinfoEndpointHandler<P>['request']>>[0]
    expectTypeOf<UserinfoInput['tokens']>().toEqualTypeOf<TokenSet>()
  })

  it('knows the profile of the video platform (§2.1)', () => {
    type U = TiktokProfile['data']['user']
    expectTypeOf<Pick<U, 'open_id' | 'display_name' | 'username' | 'avatar_url'>>().toEqualTypeOf<{
      open_id: string
      display_name: string
      username: string
      avatar_url: string
    }>()
    expectTypeOf<U['follower_count']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<U['is_verified']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<U['email']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<TiktokProfile['error']>().toEqualTypeOf<{
      code: string
      message: string
      log_id: string
    }>()
  })
})
