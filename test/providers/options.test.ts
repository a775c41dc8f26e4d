import { describe, expect, it, vi } from 'vitest'
import { authorizationUrl } from '../../src/core/upstream/authorization-url.ts'
import { identifyUser } from '../../src/core/upstream/identify-user.ts'
import { resolveProvider } from '../../src/core/upstream/resolved-provider.ts'
import type {
  OAuth2Config,
  OIDCConfig,
  OIDCProfile,
} from '../../src/provider-interface/oauth-types.ts'
import { attempt } from './attempt.ts'

const ISSUER = 'https://hostile.example/plain'

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

/** Completes a sign-in at the hostile provider, whose responses have this fault. */
function completeSignIn(provider: ReturnType<typeof resolve>, fault?: string) {
  const code = JSON.stringify({ nonce: provider.sendsNonce ? attempt.nonce : undefined, fault })
  return identifyUser(provider, attempt, new URLSearchParams({ code, state: attempt.state }))
}

describe('a provider option', () => {
  it('idToken: true reads the profile from the ID token', async () => {
    const { user } = await completeSignIn(resolve())

    expect(user).toMatchObject({ id: 'user-1', name: 'Pat Example' })
  })

  it('idToken: false reads the profile from the userinfo endpoint, and still requires an ID token', async () => {
    const provider = resolve({ idToken: false })

    const { user } = await completeSignIn(provider)

    expect(user).toMatchObject({ id: 'user-1', name: 'From Userinfo' })
    await expect(completeSignIn(provider, 'no-id-token')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  it.each([
    'bad-signature',
    'alg-none',
    'hs256-public-key',
    'unknown-kid',
    'wrong-iss',
    'wrong-aud',
    'wrong-nonce',
    'no-nonce',
    'expired',
    'not-a-jwt',
  ])('[K7] idToken: false rejects an ID token with the fault %s all the same', async (fault) => {
    await expect(completeSignIn(resolve({ idToken: false }), fault)).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('[K8] idToken: false requires the same sub in both (oidcc-client-test-userinfo-invalid-sub)', async () => {
    await expect(completeSignIn(resolve({ idToken: false }), 'userinfo-sub')).rejects.toMatchObject(
      {
        code: 'provider_invalid',
        detail: { hint: 'The userinfo response has another sub than the ID token.' },
      },
    )
  })

  it.each([
    ['the standard profile', {}],
    ['a profile of its own', { profile: ({ name = '' }: OIDCProfile) => ({ id: name, name }) }],
  ])('[K8] idToken: false rejects a userinfo response without sub, with %s', async (_, changes) => {
    const provider = resolve({ idToken: false, ...changes })

    await expect(completeSignIn(provider, 'userinfo-without-sub')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('profile may be asynchronous, and receives the claims and the tokens', async () => {
    const profile = vi.fn(async (claims: OIDCProfile) => ({ id: `x-${claims.sub}` }))

    const { user, accountId } = await completeSignIn(resolve({ profile }))

    expect(user).toEqual({ id: 'x-user-1' })
    expect(accountId).toBe('x-user-1')
    expect(profile).toHaveBeenCalledWith(
      expect.objectContaining({ sub: 'user-1' }),
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
  ])(
    'profile: [S3] the default maps email_verified %j to %s',
    async (email_verified, isVerified) => {
      const claims = { sub: 'a', email: 'a@mail.example', email_verified }

      expect(await resolve().profile(claims, {})).toMatchObject({ emailVerified: isVerified })
    },
  )

  it.each([
    [
      ['pkce', 'nonce'],
      ['code_challenge', 'nonce'],
    ],
    [['pkce'], ['code_challenge']],
    [['nonce'], ['nonce']],
    [['state'], []],
    [['none'], []],
  ] as const)('checks: %j sends %j and always state', async (checks, expected) => {
    const url = new URL(await authorizationUrl(resolve({ checks }), attempt))

    const sent = ['code_challenge', 'nonce'].filter((name) => url.searchParams.has(name))
    expect(sent).toEqual(expected)
    expect(url.searchParams.get('state')).toBe('the-state')
  })

  it('checks without nonce accepts an ID token without one', async () => {
    expect((await completeSignIn(resolve({ checks: ['pkce'] }))).accountId).toBe('user-1')
  })

  it('authorization may be an address with parameters, or an object', async () => {
    const asText = resolve({ authorization: `${ISSUER}/elsewhere?audience=x` })
    const asObject = resolve({
      authorization: { params: { scope: 'openid', acr_values: 'gold' } },
    })

    const fromText = new URL(await authorizationUrl(asText, attempt))
    const fromObject = new URL(await authorizationUrl(asObject, attempt))

    expect(fromText.pathname).toBe('/plain/elsewhere')
    expect(fromText.searchParams.get('audience')).toBe('x')
    expect(fromText.searchParams.get('scope')).toBe('openid profile email')
    expect(fromObject.searchParams.get('scope')).toBe('openid')
    expect(fromObject.searchParams.get('acr_values')).toBe('gold')
  })

  it('authorization keeps its own parameters, but neither a fragment nor parameters of the protocol', async () => {
    const provider = resolve({ authorization: `${ISSUER}/authorize?a=%26&state=old#fragment` })

    const url = new URL(await authorizationUrl(provider, attempt))

    expect(url.hash).toBe('')
    expect(url.searchParams.get('a')).toBe('&')
    expect(url.searchParams.getAll('state')).toEqual(['the-state'])
  })

  it('token.request replaces the token request, and its response is verified all the same', async () => {
    const request = vi.fn(async ({ url, params, checks, fetch }) => {
      const body = new URLSearchParams({ code: params.code })
      const response = await fetch(url, { method: 'POST', body })
      expect(checks).toEqual({
        state: 'the-state',
        code_verifier: attempt.codeVerifier,
        nonce: 'the-nonce',
      })
      return { tokens: await response.json() }
    })
    const provider = resolve({ token: { request } })

    expect((await completeSignIn(provider)).accountId).toBe('user-1')
    await expect(completeSignIn(provider, 'wrong-aud')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
    await expect(completeSignIn(provider, 'bad-signature')).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('token.normalizeResponse may correct a non-standard response', async () => {
    const normalizeResponse = async (response: Response) => {
      const body: Record<string, unknown> = await response.json()
      return Response.json({ ...body, token_type: 'bearer' })
    }

    expect(
      (await completeSignIn(resolve({ token: { normalizeResponse } }), 'unsupported-token-type'))
        .accountId,
    ).toBe('user-1')
  })

  it('token.params are sent with the code', async () => {
    const normalizeResponse = vi.fn(async () => undefined)
    const provider = resolve({ token: { params: { audience: 'api' }, normalizeResponse } })

    expect((await completeSignIn(provider)).accountId).toBe('user-1')
    expect(normalizeResponse).toHaveBeenCalledOnce()
  })

  it('userinfo.request replaces the userinfo request, and userinfo.normalizeResponse its response', async () => {
    const request = vi.fn(async ({ url, tokens }) => ({
      sub: 'user-1',
      name: `${new URL(url).pathname} ${tokens.access_token}`,
    }))
    const normalizeResponse = async () => Response.json({ sub: 'user-1', name: 'Corrected' })

    expect(
      (await completeSignIn(resolve({ idToken: false, userinfo: { request } }))).user?.name,
    ).toBe('/plain/userinfo at-good')
    expect(
      (await completeSignIn(resolve({ idToken: false, userinfo: { normalizeResponse } }))).user
        ?.name,
    ).toBe('Corrected')
  })

  it('client sets client metadata, such as the accepted algorithm', async () => {
    const provider = resolve({ client: { id_token_signed_response_alg: 'ES256' } })

    await expect(completeSignIn(provider)).rejects.toMatchObject({ code: 'provider_invalid' })
  })

  it('client may set the authentication method', async () => {
    const provider = resolve({ client: { token_endpoint_auth_method: 'client_secret_basic' } })

    expect((await completeSignIn(provider, 'basic-expected')).accountId).toBe('user-1')
    await expect(completeSignIn(resolve(), 'basic-expected')).rejects.toMatchObject({
      code: 'provider_refused',
    })
  })

  it('wellKnown is the address of the discovery document, and jwks_endpoint that of the keys', async () => {
    const { issuer: _, ...withoutIssuer } = custom
    const discovered = resolveProvider(
      { ...withoutIssuer, wellKnown: `${ISSUER}/.well-known/openid-configuration` },
      'https://login.example',
    )
    expect((await completeSignIn(discovered)).accountId).toBe('user-1')

    const otherKeys = resolve({ jwks_endpoint: 'https://hostile.example/one-key/jwks' })
    expect((await completeSignIn(otherKeys, 'no-kid')).accountId).toBe('user-1')
  })

  it('issuer requires discovery, which a plain OAuth 2 provider with its own endpoints does not need', async () => {
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
  ])('%s: [P3] is not called over plain http', async (_, changes) => {
    await expect(completeSignIn(resolve(changes))).rejects.toMatchObject({
      code: expect.stringMatching(/^provider_(invalid|unavailable)$/),
    })
  })

  it('redirectProxyUrl changes the callback address, whether set for one provider or for all', () => {
    const url = 'https://stable.example/api/auth'

    expect(resolve({ redirectProxyUrl: url }).callbackUrl).toBe(`${url}/callback/custom`)
    expect(resolveProvider(custom, 'https://login.example', url).callbackUrl).toBe(
      `${url}/callback/custom`,
    )
    expect(resolve().callbackUrl).toBe('https://login.example/api/auth/callback/custom')
  })
})

describe('a callback without a code', () => {
  it("[K5] is rejected before the provider's own token request is sent", async () => {
    const request = vi.fn(async () => ({ tokens: { access_token: 'a', token_type: 'bearer' } }))
    const provider = resolveProvider(
      {
        id: 'custom',
        name: 'Custom',
        type: 'oauth',
        jwks_endpoint: undefined,
        clientId: 'x',
        clientSecret: 'y',
        authorization: 'https://hostile.example/plain/authorize',
        token: { url: 'https://hostile.example/plain/token', request },
        userinfo: 'https://hostile.example/plain/userinfo',
      },
      'https://login.example',
    )

    const result = identifyUser(provider, attempt, new URLSearchParams({ state: attempt.state }))

    await expect(result).rejects.toMatchObject({ code: 'provider_invalid' })
    expect(request).not.toHaveBeenCalled()
  })
})
