import { describe, expect, expectTypeOf, it } from 'vitest'
import { authorizationUrl } from '../../src/core/upstream/authorization-url.ts'
import { resolveProvider } from '../../src/core/upstream/resolved-provider.ts'
import type { ProviderType } from '../../src/provider-interface/common-options.ts'
import type { OAuth2Config } from '../../src/provider-interface/oauth-types.ts'
import type {
  AppProvider,
  OAuthConfig,
  OAuthUserConfig,
} from '../../src/provider-interface/types.ts'
import { TikTok, type TiktokProfile } from '../../src/providers/tiktok/tiktok.ts'
import { attempt, CODE_CHALLENGE } from './attempt.ts'

const LOGIN = 'https://login.example'

const credentials = { clientId: 'aw-key', clientSecret: 'a-secret' }

/** Maps a userinfo response of the platform with this user. */
function mapProfile(user: Partial<TiktokProfile['data']['user']>) {
  const response = {
    data: { user: { open_id: '-000abc', ...user } },
    error: { code: 'ok', message: '', log_id: '' },
  } as TiktokProfile
  return TikTok().profile?.(response, {})
}

describe('TikTok()', () => {
  it("is an OAuth 2 provider with the platform's endpoints, which end with a slash", () => {
    expect(TikTok()).toMatchObject({
      id: 'tiktok',
      name: 'TikTok',
      type: 'oauth',
      authorization: {
        url: 'https://www.tiktok.com/v2/auth/authorize/',
        params: { scope: 'user.info.basic' },
      },
      token: 'https://open.tiktokapis.com/v2/oauth/token/',
      userinfo: { url: 'https://open.tiktokapis.com/v2/user/info/' },
      checks: ['state', 'pkce'],
    })
    expectTypeOf(TikTok).returns.toExtend<OAuthConfig<TiktokProfile>>()
    expectTypeOf<Parameters<typeof TikTok>[0]>().toExtend<
      OAuthUserConfig<TiktokProfile> | undefined
    >()
  })

  it('prefers options to defaults, and merges endpoints one level deep', () => {
    const provider = TikTok({
      ...credentials,
      name: 'Short videos',
      checks: ['none'],
      authorization: { params: { scope: 'user.info.basic,user.info.stats' } },
      userinfo: 'https://proxy.example/user?v=2',
      style: { brandColor: '#ff0050' },
    })

    expect(provider).toMatchObject({
      clientId: 'aw-key',
      name: 'Short videos',
      checks: ['none'],
      authorization: {
        url: 'https://www.tiktok.com/v2/auth/authorize/',
        params: { scope: 'user.info.basic,user.info.stats' },
      },
      userinfo: {
        url: 'https://proxy.example/user',
        params: { v: '2' },
        request: expect.any(Function),
      },
      style: { brandColor: '#ff0050' },
    })
  })

  it('uses the display name as name, or else the username, or else nothing', () => {
    expect(mapProfile({ display_name: 'Mia', username: 'mia' })).toMatchObject({
      name: 'Mia',
      username: 'mia',
    })
    expect(mapProfile({ display_name: '', username: 'mia' })).toMatchObject({ name: 'mia' })
    expect(mapProfile({})).toMatchObject({
      id: '-000abc',
      name: undefined,
      image: undefined,
      email: null,
    })
  })

  it('prefers the larger avatar, and does not change its signed address', () => {
    const avatar_large_url = 'https://p16.example/a.jpeg?x-signature=k%3D%2F'

    const user = mapProfile({ avatar_large_url, avatar_url: 'https://p16.example/b' })

    expect(user).toMatchObject({ image: avatar_large_url })
  })

  it('[S4] has no email address', () => {
    const user = mapProfile({ email: 'a@b.example', username: 'a@b.example' })

    expect(user).toMatchObject({ email: null })
  })

  it.each([
    [
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      '13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3',
    ],
    [
      'tiktok-example-verifier-0123456789-abcdefghij-ABCDEFGHIJ',
      'cd456a599e26d627f99a16e32ef8c32c5c6d1b55e6717138d5163f9b49a297f5',
    ],
  ])(
    'encodes the challenge of %s in hex (brightbean-studio#103)',
    async (codeVerifier, challenge) => {
      const provider = resolveProvider(TikTok(credentials), LOGIN)

      const url = new URL(await authorizationUrl(provider, { ...attempt, codeVerifier }))

      expect(url.searchParams.get('code_challenge')).toBe(challenge)
    },
  )

  it('[B10] sends state even if only PKCE is configured, and the challenge of RFC 7636 if configured', async () => {
    const provider = resolveProvider(
      TikTok({ ...credentials, checks: ['pkce'], codeChallengeEncoding: 'base64url' }),
      LOGIN,
    )

    const url = new URL(await authorizationUrl(provider, attempt))

    expect(url.searchParams.get('state')).toBe('the-state')
    expect(url.searchParams.get('code_challenge')).toBe(CODE_CHALLENGE)
  })

  it('sends no challenge if PKCE is disabled', async () => {
    const provider = resolveProvider(TikTok({ ...credentials, checks: ['state'] }), LOGIN)

    expect(await authorizationUrl(provider, attempt)).not.toContain('code_challenge')
  })

  it('[K23] does not let a configured parameter replace one of the protocol', async () => {
    const params = {
      state: 'fixed',
      redirect_uri: 'https://evil.example',
      response_type: 'token',
      client_key: 'x',
    }
    const provider = resolveProvider(TikTok({ ...credentials, authorization: { params } }), LOGIN)

    const url = new URL(await authorizationUrl(provider, attempt, params))

    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      state: 'the-state',
      redirect_uri: 'https://login.example/api/auth/callback/tiktok',
      response_type: 'code',
      client_key: 'aw-key',
    })
  })
})

describe('a provider', () => {
  it('has the types of the interface', () => {
    expectTypeOf<ProviderType>().toEqualTypeOf<
      'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'
    >()
    expectTypeOf<AppProvider>().toEqualTypeOf<{
      id: string
      name: string
      type: ProviderType
      signinUrl: string
      callbackUrl: string
    }>()
    expectTypeOf<OAuth2Config<TiktokProfile>['type']>().toEqualTypeOf<'oauth'>()
    expectTypeOf<OAuthUserConfig<TiktokProfile>>().not.toHaveProperty('type')
  })
})
