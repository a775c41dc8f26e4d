import { describe, expect, expectTypeOf, it } from 'vitest'
import type { OAuth2Config } from '../../src/providers/oauth-types.ts'
import { TikTok, type TiktokProfile } from '../../src/providers/tiktok.ts'
import type {
  AppProvider,
  OAuthConfig,
  OAuthUserConfig,
  ProviderType,
} from '../../src/providers/types.ts'
import { authorizationUrl } from '../../src/upstream/authorization-url.ts'
import { resolveProvider } from '../../src/upstream/resolve.ts'

const keys = { clientId: 'aw-key', clientSecret: 'a-secret' }

const profile = (user: Partial<TiktokProfile['data']['user']>) =>
  ({
    data: { user: { open_id: '-000abc', ...user } },
    error: { code: 'ok', message: '', log_id: '' },
  }) as TiktokProfile

const attempt = (codeVerifier: string) => ({
  v: 1 as const,
  name: '23456-789BC',
  provider: 'tiktok',
  state: 'the-state',
  codeVerifier,
  nonce: 'a-nonce',
  returnTo: '/',
  mayReplace: false,
  isForced: false,
  expiresAt: 0,
})

describe('TikTok()', () => {
  it('is an OAuth 2 provider with the platform’s own endpoints, slashes included', () => {
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

  it('lets the options win over any default, and merges endpoints one level deep', () => {
    const provider = TikTok({
      ...keys,
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

  it('takes the name of a person, or their username, or nothing', () => {
    const map = (user: Partial<TiktokProfile['data']['user']>) =>
      TikTok().profile?.(profile(user), {})

    expect(map({ display_name: 'Mia', username: 'mia' })).toMatchObject({
      name: 'Mia',
      username: 'mia',
    })
    expect(map({ display_name: '', username: 'mia' })).toMatchObject({ name: 'mia' })
    expect(map({})).toMatchObject({ id: '-000abc', name: undefined, image: undefined, email: null })
  })

  it('prefers the larger picture, and keeps its signature as it is', () => {
    const avatar_large_url = 'https://p16.example/a.jpeg?x-signature=k%3D%2F'

    expect(
      TikTok().profile?.(profile({ avatar_large_url, avatar_url: 'https://p16.example/b' }), {}),
    ).toMatchObject({
      image: avatar_large_url,
    })
  })

  it('[S4] never makes up an email address', () => {
    expect(
      TikTok().profile?.(profile({ email: 'a@b.example', username: 'a@b.example' }), {}),
    ).toMatchObject({ email: null })
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
  ])('spells the challenge of %s in hex (brightbean-studio#103)', async (verifier, challenge) => {
    const provider = resolveProvider(TikTok(keys), 'https://login.example')

    const url = new URL(await authorizationUrl(provider, attempt(verifier)))

    expect(url.searchParams.get('code_challenge')).toBe(challenge)
  })

  it('[B10] sends state even where only PKCE is asked for, and the challenge of RFC 7636 where that is wanted', async () => {
    const provider = resolveProvider(
      TikTok({ ...keys, checks: ['pkce'], codeChallenge: 'base64url' }),
      'https://login.example',
    )

    const url = new URL(
      await authorizationUrl(provider, attempt('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')),
    )

    expect(url.searchParams.get('state')).toBe('the-state')
    expect(url.searchParams.get('code_challenge')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    )
  })

  it('sends no challenge where PKCE is switched off', async () => {
    const provider = resolveProvider(
      TikTok({ ...keys, checks: ['state'] }),
      'https://login.example',
    )

    expect(await authorizationUrl(provider, attempt('x'))).not.toContain('code_challenge')
  })

  it('[K23] lets no configured parameter displace one of the protocol', async () => {
    const params = {
      state: 'fixed',
      redirect_uri: 'https://evil.example',
      response_type: 'token',
      client_key: 'x',
    }
    const provider = resolveProvider(
      TikTok({ ...keys, authorization: { params } }),
      'https://login.example',
    )

    const url = new URL(await authorizationUrl(provider, attempt('x'), params))

    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      state: 'the-state',
      redirect_uri: 'https://login.example/api/auth/callback/tiktok',
      response_type: 'code',
      client_key: 'aw-key',
    })
  })
})

describe('a provider', () => {
  it.each(['TikTok', 'tik tok', '../x', '', 'a'.repeat(33)])('[S9] cannot be called "%s"', (id) => {
    expect(() => resolveProvider(TikTok({ ...keys, id }), 'https://login.example')).toThrow(
      TypeError,
    )
  })

  it.each([{ clientId: '' }, { clientSecret: '' }, { token: { url: '' } }])(
    '[L12] that is not complete is refused: %o',
    (lack) => {
      expect(() => resolveProvider(TikTok({ ...keys, ...lack }), 'https://login.example')).toThrow(
        TypeError,
      )
    },
  )

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
