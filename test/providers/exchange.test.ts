import { describe, expect, it, vi } from 'vitest'
import type { OAuth2Config, OIDCConfig, OIDCProfile } from '../../src/providers/oauth-types.ts'
import type { Provider } from '../../src/providers/types.ts'
import { authorizationUrl } from '../../src/upstream/authorization-url.ts'
import { identify } from '../../src/upstream/exchange.ts'
import { resolveProvider } from '../../src/upstream/resolve.ts'
import { revokeTokens } from '../../src/upstream/token-endpoint.ts'

const ISSUER = 'https://hostile.example/plain'

const attempt = {
  v: 1 as const,
  name: '23456-789BC',
  provider: 'custom',
  state: 'a-state',
  codeVerifier: 'a-verifier-of-more-than-forty-three-characters-0',
  nonce: 'a-nonce',
  returnTo: '/',
  mayReplace: false,
  isForced: false,
  expiresAt: 0,
}

const custom: OIDCConfig<OIDCProfile> = {
  id: 'custom',
  name: 'Custom',
  type: 'oidc',
  issuer: ISSUER,
  jwks_endpoint: undefined,
  clientId: 'our-client',
  clientSecret: 'our-secret',
  checks: ['pkce', 'nonce'],
}

const resolve = (changes: Partial<OIDCConfig<OIDCProfile>> = {}) =>
  resolveProvider({ ...custom, ...changes }, 'https://login.example')

function comeBack(
  provider: ReturnType<typeof resolve>,
  fault?: string,
  extra: Record<string, string> = {},
) {
  const code = JSON.stringify({ nonce: provider.sendsNonce ? attempt.nonce : undefined, fault })
  return identify(provider, attempt, new URLSearchParams({ code, state: attempt.state, ...extra }))
}

describe('every option of a provider', () => {
  it('idToken: true takes people from the ID token', async () => {
    expect((await comeBack(resolve())).user).toMatchObject({ id: 'person-1', name: 'Pat Example' })
  })

  it('idToken: false asks the userinfo endpoint, and still demands an ID token', async () => {
    const provider = resolve({ idToken: false })

    expect((await comeBack(provider)).user).toMatchObject({ id: 'person-1', name: 'From Userinfo' })
    await expect(comeBack(provider, 'no-id-token')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('[K8] oidcc-client-test-userinfo-invalid-sub: userinfo must speak of the same person', async () => {
    await expect(comeBack(resolve({ idToken: false }), 'userinfo-sub')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('profile may be asynchronous, and receives profile and tokens', async () => {
    const profile = vi.fn(async (claims: OIDCProfile) => ({ id: `x-${claims.sub}` }))

    const { user, accountId } = await comeBack(resolve({ profile }))

    expect(user).toEqual({ id: 'x-person-1' })
    expect(accountId).toBe('x-person-1')
    expect(profile).toHaveBeenCalledWith(
      expect.objectContaining({ sub: 'person-1' }),
      expect.objectContaining({ access_token: 'at-good', expires_at: expect.any(Number) }),
    )
  })

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    ['TRUE', false],
    [undefined, false],
  ])('[S3] takes email_verified %j for %s', async (email_verified, verified) => {
    const claims = { sub: 'a', email: 'a@mail.example', email_verified }

    expect(await resolve().profile(claims, {})).toMatchObject({ emailVerified: verified })
  })

  it('account receives the tokens: by default a fixed subset, or whatever it returns, or nothing', () => {
    const tokens = {
      access_token: 'a',
      refresh_token: 'r',
      scope: 's',
      token_type: 'bearer',
      expires_in: 1,
      odd: 'x',
    }

    const keeping = { keepsTokens: true }
    expect(resolve(keeping).account(tokens)).toEqual({
      access_token: 'a',
      refresh_token: 'r',
      scope: 's',
      token_type: 'bearer',
    })
    expect(resolve({ ...keeping, account: ({ odd }) => ({ odd }) }).account(tokens)).toEqual({
      odd: 'x',
    })
    expect(resolve({ ...keeping, account: () => undefined }).account(tokens)).toBeUndefined()
    expect(resolve().account(tokens)).toBeUndefined()
  })

  it.each([
    [
      ['pkce', 'nonce'],
      ['code_challenge', 'nonce'],
    ],
    [['pkce'], ['code_challenge']],
    [['nonce'], ['nonce']],
    [['state'], []],
    [['none'], []],
  ] as const)('checks %j sends %j, and state always', async (checks, sent) => {
    const url = new URL(await authorizationUrl(resolve({ checks }), attempt))

    const found = ['code_challenge', 'nonce'].filter((name) => url.searchParams.has(name))
    expect(found).toEqual(sent)
    expect(url.searchParams.get('state')).toBe('a-state')
  })

  it('checks without nonce expects none in the ID token', async () => {
    expect((await comeBack(resolve({ checks: ['pkce'] }))).accountId).toBe('person-1')
  })

  it('authorization may be a string with parameters, or a handler', async () => {
    const asText = resolve({ authorization: `${ISSUER}/elsewhere?audience=x` })
    const asHandler = resolve({
      authorization: { params: { scope: 'openid', acr_values: 'gold' } },
    })

    const one = new URL(await authorizationUrl(asText, attempt))
    expect(one.pathname).toBe('/plain/elsewhere')
    expect(one.searchParams.get('audience')).toBe('x')
    expect(one.searchParams.get('scope')).toBe('openid profile email')
    const other = new URL(await authorizationUrl(asHandler, attempt))
    expect(other.searchParams.get('scope')).toBe('openid')
    expect(other.searchParams.get('acr_values')).toBe('gold')
  })

  it('token.request replaces the exchange, and its answer is checked as any other', async () => {
    const request = vi.fn(async ({ url, params, checks, fetch }) => {
      const body = new URLSearchParams({ code: params.code })
      const response = await fetch(url, { method: 'POST', body })
      expect(checks).toEqual({
        state: 'a-state',
        code_verifier: attempt.codeVerifier,
        nonce: 'a-nonce',
      })
      return { tokens: await response.json() }
    })
    const provider = resolve({ token: { request } })

    expect((await comeBack(provider)).accountId).toBe('person-1')
    await expect(comeBack(provider, 'wrong-aud')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
    await expect(comeBack(provider, 'bad-signature')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('token.conform may turn an odd answer into a good one', async () => {
    const conform = async (response: Response) => {
      const body: Record<string, unknown> = await response.json()
      return Response.json({ ...body, token_type: 'bearer' })
    }

    expect((await comeBack(resolve({ token: { conform } }), 'token-type-odd')).accountId).toBe(
      'person-1',
    )
  })

  it('token.conform has nothing to do with what is given back', async () => {
    const provider = resolve({
      token: { conform: async (response) => Response.json(await response.json()) },
    })

    expect(await revokeTokens(provider, 'at-good')).toBe(true)
  })

  it('token.params go with the code', async () => {
    const conform = vi.fn(async () => undefined)
    const provider = resolve({ token: { params: { audience: 'api' }, conform } })

    expect((await comeBack(provider)).accountId).toBe('person-1')
    expect(conform).toHaveBeenCalledOnce()
  })

  it('userinfo.request and userinfo.conform replace what asks and what is answered', async () => {
    const request = vi.fn(async ({ url, tokens }) => ({
      sub: 'person-1',
      name: `${new URL(url).pathname} ${tokens.access_token}`,
    }))
    const conform = async () => Response.json({ sub: 'person-1', name: 'Conformed' })

    expect((await comeBack(resolve({ idToken: false, userinfo: { request } }))).user?.name).toBe(
      '/plain/userinfo at-good',
    )
    expect((await comeBack(resolve({ idToken: false, userinfo: { conform } }))).user?.name).toBe(
      'Conformed',
    )
  })

  it('client overrides reach the protocol: here the algorithm that is accepted', async () => {
    const provider = resolve({ client: { id_token_signed_response_alg: 'ES256' } })

    await expect(comeBack(provider)).rejects.toMatchObject({ code: 'provider_invalid' })
  })

  it('client may say how it authenticates', async () => {
    const provider = resolve({ client: { token_endpoint_auth_method: 'client_secret_basic' } })

    expect((await comeBack(provider, 'basic-expected')).accountId).toBe('person-1')
    await expect(comeBack(resolve(), 'basic-expected')).rejects.toMatchObject({
      code: 'provider_refused',
    })
  })

  it('wellKnown names the discovery document, and jwks_endpoint the keys', async () => {
    const { issuer: _, ...withoutIssuer } = custom
    const found = resolveProvider(
      { ...withoutIssuer, wellKnown: `${ISSUER}/.well-known/openid-configuration` },
      'https://login.example',
    )
    expect((await comeBack(found)).accountId).toBe('person-1')

    const otherKeys = resolve({ jwks_endpoint: 'https://hostile.example/one-key/jwks' })
    expect((await comeBack(otherKeys, 'no-kid')).accountId).toBe('person-1')
  })

  it('issuer with endpoints of its own needs no discovery', async () => {
    const provider = resolve({
      issuer: 'https://hostile.example/html',
      authorization: 'https://hostile.example/html/authorize',
    })

    await expect(authorizationUrl(provider, attempt)).rejects.toThrow()
    const plain: OAuth2Config<{ sub: string }> = {
      id: 'plain',
      name: 'Plain',
      type: 'oauth',
      jwks_endpoint: undefined,
      clientId: 'c',
      clientSecret: 's',
      authorization: 'https://hostile.example/html/authorize',
      token: 'https://hostile.example/plain/token',
      userinfo: 'https://hostile.example/plain/userinfo',
    }
    expect(
      await authorizationUrl(resolveProvider(plain, 'https://login.example'), attempt),
    ).toContain('/html/authorize?')
  })

  it.each([
    ['token', { token: 'http://hostile.example/plain/token' }],
    ['userinfo', { userinfo: 'http://hostile.example/plain/userinfo', idToken: false }],
    ['jwks_endpoint', { jwks_endpoint: 'http://hostile.example/plain/jwks' }],
  ])('[P3] %s is asked nothing over plain http', async (_, changes) => {
    await expect(comeBack(resolve(changes))).rejects.toMatchObject({
      code: expect.stringMatching(/^provider_(invalid|unavailable)$/),
    })
  })

  it('clientId and clientSecret are needed, and so are the endpoints', () => {
    expect(() => resolve({ clientId: '' })).toThrow('lacks clientId')
    expect(() => resolve({ clientSecret: '' })).toThrow('lacks clientSecret')
    const { issuer: _, ...bare } = custom
    expect(() => resolveProvider(bare, 'https://login.example')).toThrow(
      'lacks authorization, token, issuer',
    )
    expect(() =>
      resolveProvider({ ...bare, type: 'oauth', checks: [] }, 'https://login.example'),
    ).toThrow('lacks authorization, token, userinfo')
  })

  it('a provider may be a function', () => {
    expect(resolveProvider(() => custom, 'https://login.example').name).toBe('Custom')
  })

  it.each([
    { id: 'mail', name: 'Mail', type: 'email' },
    {
      id: 'password',
      name: 'Password',
      type: 'credentials',
      credentials: {},
      authorize: async () => null,
    },
    { id: 'passkey', name: 'Passkey', type: 'webauthn' },
  ] as Provider[])('a kind that is not run is refused in words: %o', (provider) => {
    expect(() => resolveProvider(provider, 'https://login.example')).toThrow(
      /does not run: it signs people in through OAuth 2/,
    )
  })

  it('redirectProxyUrl moves the callback, whether set on the provider or for all', () => {
    const url = 'https://stable.example/api/auth'

    expect(resolve({ redirectProxyUrl: url }).callbackUrl).toBe(`${url}/callback/custom`)
    expect(resolveProvider(custom, 'https://login.example', url).callbackUrl).toBe(
      `${url}/callback/custom`,
    )
    expect(resolve().callbackUrl).toBe('https://login.example/api/auth/callback/custom')
  })
})
