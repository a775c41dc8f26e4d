import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { authorizationServer } from '../../src/core/upstream/authorization-server.ts'
import { resolveProvider } from '../../src/core/upstream/resolved-provider.ts'
import { CLOCK_HINT } from '../../src/foundation/errors/failure-detail.ts'
import { Oidc } from '../../src/providers/oidc.ts'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../browser.ts'
import { advanceClock, HOUR } from '../clock.ts'
import { errorCode, hiddenFields } from '../html.ts'
import { addressAfterSignIn, redirectUrl } from '../redirect.ts'
import { walkThrough, walkToForm } from './walk-through.ts'

const HOSTILE = 'https://hostile.example'

/** Top-level domains of names that belong to no public server. */
const LOCAL_DOMAINS =
  'localhost local internal intranet private corp home lan localdomain arpa test invalid onion'.split(
    ' ',
  )

/** A browser at a deployment that uses this provider. */
function browserFor(issuer: string, settings: Record<string, unknown> = {}): Browser {
  return new Browser(
    serviceWith({
      AUTH_OIDC_ID: 'our-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: issuer,
      ...settings,
    }),
  )
}

/** Starts a sign-in and returns the authorization request to the provider. */
async function startSignIn(browser: Browser, prompt?: string): Promise<URL> {
  const query = new URLSearchParams(prompt && { prompt })
  const response = await browser.get(`/api/auth/signin/oidc?${query}`)
  expect(response.status).toBe(302)
  return redirectUrl(response)
}

/** A sign-in at the hostile provider, whose token response has this fault. */
async function signInAt(
  mode: string,
  fault?: string,
  {
    browser = browserFor(`${HOSTILE}/${mode}`),
    prompt,
  }: { browser?: Browser; prompt?: string } = {},
) {
  const authorization = await startSignIn(browser, prompt)
  const state = authorization.searchParams.get('state') ?? ''
  const code = JSON.stringify({ nonce: authorization.searchParams.get('nonce'), fault })
  const response = await browser.get(
    `/api/auth/callback/oidc?${new URLSearchParams({ code, state })}`,
  )
  return {
    status: response.status,
    code: await errorCode(response),
    session: await browser.session(),
  }
}

/** How many requests the hostile provider has received at this path. */
async function countRequests(path: string): Promise<number> {
  const counts: Record<string, number> = await (await fetch(`${HOSTILE}/request-counts`)).json()
  return counts[path] ?? 0
}

describe('a certified OpenID Provider', () => {
  const browser = () => browserFor('https://op.example')

  it('[K7] signs a user in with discovery, code, PKCE, nonce and ID token', async () => {
    const alice = browser()
    const authorization = await startSignIn(alice)

    const response = await alice.get(await walkThrough(authorization, 'alice'))

    expect(response.status).toBe(302)
    expect(authorization.origin).toBe('https://op.example')
    expect(Object.fromEntries(authorization.searchParams)).toEqual({
      client_id: 'our-client',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: `${LOGIN}/api/auth/callback/oidc`,
      state: expect.stringMatching(/^[\w-]{43}\.[\w-]+$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(await alice.session()).toMatchObject({
      user: { name: 'Alice Park', username: 'alice', email: 'alice@mail.example' },
    })
  })

  it('can be used together with the video platform and a plain OAuth 2 server', async () => {
    const all = browserFor('https://op.example', {
      AUTH_OIDC_NAME: 'Our company',
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
      AUTH_GITLAB_ISSUER: 'https://git.example',
    })
    const page = await (await all.get('/api/auth/signin')).text()
    for (const name of ['TikTok', 'GitLab', 'Our company'])
      expect(page).toContain(`Sign in with ${name}`)

    expect((await all.get(await walkThrough(await startSignIn(all), 'alice'))).status).toBe(302)
    expect(await all.session()).toMatchObject({ user: { name: 'Alice Park' } })

    expect((await all.signIn('mia', { prompt: 'login' })).status).toBe(302)
    expect(await all.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })

    const start = await all.get('/api/auth/signin/gitlab?prompt=login', {
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'navigate',
    })
    const approved = await fetch(redirectUrl(start), { redirect: 'manual' })
    expect((await all.get(redirectUrl(approved).href)).status).toBe(302)
    expect(await all.session()).toMatchObject({ user: { name: 'Gitta Lab', username: 'gitta' } })
  })

  it('posts its response if AUTH_OIDC_RESPONSE_MODE is form_post', async () => {
    const settings = { AUTH_OIDC_RESPONSE_MODE: 'form_post', AUTH_OIDC_SCOPE: 'openid profile' }
    const alice = browserFor('https://op.example', settings)
    const authorization = await startSignIn(alice)
    const page = await walkToForm(authorization, 'alice')
    // The post comes from another site, therefore without our cookies.
    const withoutCookies = browserFor('https://op.example', settings)
    const posted = await withoutCookies.post(
      '/api/auth/callback/oidc',
      Object.fromEntries(hiddenFields(page)),
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://op.example' },
    )

    const response = await alice.get(redirectUrl(posted).href)

    expect(authorization.searchParams.get('response_mode')).toBe('form_post')
    expect(authorization.searchParams.get('scope')).toBe('openid profile')
    expect(page).toContain(`action="${LOGIN}/api/auth/callback/oidc"`)
    expect(posted.status).toBe(303)
    expect(response.status).toBe(302)
    expect(await alice.session()).toMatchObject({ user: { name: 'Alice Park' } })
  })

  it('[K3] has its response accepted at its own callback only', async () => {
    const mixed = browserFor('https://op.example', {
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
    })
    const callback = await walkThrough(await startSignIn(mixed), 'alice')

    for (const other of ['tiktok', 'gitlab']) {
      const response = await mixed.get(callback.replace('/callback/oidc', `/callback/${other}`))
      expect(await response.text()).toContain('attempt_missing')
    }
    expect(await mixed.session()).toBeNull()
  })
})

describe('the profile of an OpenID Provider', () => {
  it('is read from the userinfo endpoint if AUTH_OIDC_USERINFO is on, and must have the same sub as the ID token', async () => {
    const settings = { AUTH_OIDC_USERINFO: 'on' }
    const reader = browserFor(`${HOSTILE}/plain`, settings)
    const idTokenReader = browserFor(`${HOSTILE}/plain`, { AUTH_OIDC_USERINFO: 'off' })
    const mismatched = browserFor(`${HOSTILE}/plain`, settings)

    expect(await signInAt('plain', undefined, { browser: reader })).toMatchObject({
      status: 302,
      session: { user: { name: 'From Userinfo' } },
    })
    expect(await signInAt('plain', undefined, { browser: idTokenReader })).toMatchObject({
      session: { user: { name: 'Pat Example' } },
    })
    expect(await signInAt('plain', 'userinfo-sub', { browser: mismatched })).toMatchObject({
      status: 502,
      code: 'provider_invalid',
    })
  })

  it.each([
    [{ AUTH_OIDC_USERINFO: 'yes' }, 'AUTH_OIDC_USERINFO must be on or off'],
    [{ AUTH_OIDC_RESPONSE_MODE: 'fragment' }, 'AUTH_OIDC_RESPONSE_MODE must be query or form_post'],
    [
      { AUTH_GOOGLE_ID: 'x', AUTH_GOOGLE_SECRET: 'y', AUTH_GOOGLE_USERINFO: 'on' },
      'AUTH_GOOGLE_USERINFO is not a setting of this service.',
    ],
  ])('cannot be configured with the settings %o', async (settings, problem) => {
    const loopback = 'http://localhost:8787'
    const service = serviceWith({
      AUTH_URL: loopback,
      AUTH_OIDC_ID: 'our-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: 'https://op.example',
      ...settings,
    })

    const response = await new Browser(service, loopback).get('/healthz', {
      Accept: 'application/json',
    })

    expect(response.status).toBe(500)
    expect(await response.text()).toContain(problem)
  })
})

describe('the account of an OpenID Provider', () => {
  it('[S1] belongs to its issuer: the same subject at another issuer is another user', async () => {
    const first = await signInAt('plain')

    const second = await signInAt('one-key', 'no-kid')
    const again = await signInAt('plain')

    expect(second.session?.user.id).toMatch(/^usr_/)
    expect(second.session?.user.id).not.toBe(first.session?.user.id)
    expect(again.session?.user.id).toBe(first.session?.user.id)
  })

  it.each([
    ['name-number', { username: undefined, email: 'pat@mail.example' }],
    ['username-object', { name: 'Pat Example', username: undefined }],
    ['email-list', { name: 'Pat Example', email: undefined }],
  ])('[P12] ignores a claim of the wrong type: %s', async (fault, expected) => {
    const { status, session } = await signInAt('plain', fault)

    expect(status).toBe(302)
    expect({ ...session?.user }).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    )
    for (const [name, value] of Object.entries(expected)) {
      if (value === undefined) expect(session?.user).not.toHaveProperty(name)
    }
  })

  it('[P12] is rejected if its subject is not a string', async () => {
    expect(await signInAt('plain', 'sub-number')).toMatchObject({
      status: 502,
      code: 'provider_invalid',
    })
  })
})

describe('a sign-in with prompt=login at an OpenID Provider', () => {
  it('[A17] requests a new authentication', async () => {
    const authorization = await startSignIn(browserFor(`${HOSTILE}/plain`), 'login')

    expect(Object.fromEntries(authorization.searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
    })
  })

  it.each([
    ['auth-time-now', true],
    ['auth-time-old', false],
    ['auth-time-text', false],
    [undefined, false],
  ])(
    '[A17] is accepted only if auth_time proves it: %s is accepted: %s',
    async (fault, isAccepted) => {
      const result = await signInAt('plain', fault, { prompt: 'login' })

      expect(result).toMatchObject(
        isAccepted ? { status: 302 } : { status: 502, code: 'provider_invalid', session: null },
      )
    },
  )

  it('[A17] opens the account page only if auth_time is recent', async () => {
    const silent = browserFor(`${HOSTILE}/plain`)
    await signInAt('plain', 'auth-time-old', { browser: silent })
    const proved = browserFor(`${HOSTILE}/plain`)
    await signInAt('plain', 'auth-time-now', { browser: proved, prompt: 'login' })

    expect(addressAfterSignIn(await silent.get('/account/delete'))).toBe('/account/delete')
    expect((await proved.get('/account/delete')).status).toBe(200)
  })

  it("passes the provider's auth_time on to apps", async () => {
    const browser = browserFor(`${HOSTILE}/plain`)
    const { session } = await signInAt('plain', 'auth-time-old', { browser })

    const { auth_time, iat = 0 } = decodeJwt(session?.token ?? '')
    expect(auth_time).toBeLessThanOrEqual(iat - 30 * 24 * 3600 + 60)
  })
})

describe('an ID token', () => {
  it('oidcc-client-test: is accepted if valid', async () => {
    expect(await signInAt('plain')).toMatchObject({
      status: 302,
      session: { user: { name: 'Pat Example' } },
    })
  })

  it.each([
    ['oidcc-client-test-invalid-iss', 'wrong-iss'],
    ['oidcc-client-test-missing-sub', 'no-sub'],
    ['oidcc-client-test-invalid-aud', 'wrong-aud'],
    ['oidcc-client-test-missing-iat', 'no-iat'],
    ['oidcc-client-test-idtoken-sig-none', 'alg-none'],
    ['oidcc-client-test-invalid-sig-rs256', 'bad-signature'],
    ['oidcc-client-test-invalid-sig-hs256 (with the public key)', 'hs256-public-key'],
    ['oidcc-client-test-kid-absent-multiple-jwks', 'no-kid'],
    ['oidcc-client-test-nonce-invalid', 'wrong-nonce'],
    ['without nonce', 'no-nonce'],
    ['with several audiences but no azp', 'aud-array-without-azp'],
    ['with another azp', 'wrong-azp'],
    ['without exp', 'no-exp'],
    ['with a text as exp', 'exp-text'],
    ['that has expired', 'expired'],
    ['with nbf in the future', 'nbf-future'],
    ['with an unknown kid', 'unknown-kid'],
    ['with a key in its own header (CVE-2026-27962)', 'jwk-header'],
    ['[E13] that is encrypted', 'encrypted'],
    ['that is not a JWT', 'not-a-jwt'],
    ['that is missing', 'no-id-token'],
    ['with another token type than bearer', 'unsupported-token-type'],
  ])('[K7] is rejected, and the log says why: %s', async (_, fault) => {
    const before = await countRequests('/plain/userinfo')

    expect(await signInAt('plain', fault)).toEqual({
      status: 502,
      code: 'provider_invalid',
      session: null,
    })
    const isAboutTime = ['expired', 'nbf-future'].includes(fault)
    const { hint } = lastLogEntry('"code":"provider_invalid"')
    expect(hint).toMatch(isAboutTime ? CLOCK_HINT : /\w/)
    expect(await countRequests('/plain/userinfo')).toBe(before)
  })

  it('[K7] is rejected without a signature even if the provider announces that, and the log says why', async () => {
    expect(await signInAt('none-supported', 'alg-none')).toMatchObject({ code: 'provider_invalid' })
    expect(lastLogEntry('"code":"provider_invalid"').hint).toBe('unsupported JWS "alg" identifier')
  })

  it.each([
    ['rsa-2048', true],
    ['rsa-2040', false],
    ['rsa-1024', false],
    ['es256-p256', true],
    ['es256-p384', false],
    ['es256-p521', false],
    ['es256-secp256k1', false],
  ])('[E12] signed with a key of type %s is accepted: %s', async (mode, isAccepted) => {
    const rejected = { status: 502, code: 'provider_invalid', session: null }

    expect(await signInAt(mode)).toMatchObject(isAccepted ? { status: 302 } : rejected)
  })

  it.each(['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'EdDSA'])(
    'may be signed with %s',
    async (alg) => {
      expect(await signInAt(alg)).toMatchObject({ status: 302 })
    },
  )

  it.each([
    'keys-null',
    'keys-text',
    'keys-containing-null',
    'keys-malformed',
    'keys-for-encryption',
    'keys-for-wrapping',
    'keys-for-another-algorithm',
  ])('[K7] is rejected with the key set %s', async (mode) => {
    expect(await signInAt(mode)).toMatchObject({ status: 502, code: 'provider_invalid' })
  })

  it('oidcc-client-test-kid-absent-single-jwks: needs no kid if there is one key', async () => {
    expect(await signInAt('one-key', 'no-kid')).toMatchObject({ status: 302 })
  })

  it.each(['one-verification-key', 'methods-null'])(
    'is accepted with the unusual metadata %s',
    async (mode) => {
      const fault = mode === 'one-verification-key' ? 'no-kid' : undefined

      expect(await signInAt(mode, fault)).toMatchObject({ status: 302 })
    },
  )

  it('[P11] may be issued twenty seconds ahead of our clock', async () => {
    expect(await signInAt('plain', 'skew-forward')).toMatchObject({ status: 302 })
  })

  it('[E11] with an unknown kid causes the keys to be fetched again once, not each time', async () => {
    const browser = browserFor(`${HOSTILE}/rotated-keys`)
    await signInAt('rotated-keys', undefined, { browser })

    for (let attempt = 0; attempt < 5; attempt++)
      await signInAt('rotated-keys', 'unknown-kid', { browser })

    expect(await countRequests('/rotated-keys/jwks')).toBeLessThanOrEqual(2)
  })

  it('oidcc-client-test-client-secret-basic: is requested with the authentication method the provider supports', async () => {
    expect(await signInAt('basic', 'basic-expected')).toMatchObject({ status: 302 })
  })

  it('[K4] is not requested without iss in the callback if the provider announced it (RFC 9207)', async () => {
    expect(await signInAt('iss-promised')).toEqual({
      status: 502,
      code: 'provider_invalid',
      session: null,
    })
  })
})

describe('a discovery document', () => {
  it.each([
    ['oidcc-client-test-discovery-issuer-mismatch', 'issuer-mismatch'],
    ['token endpoint in a private network', 'foreign-token-endpoint'],
    ['revocation endpoint in a private network', 'foreign-revocation-endpoint'],
    ['authorization endpoint in a private network', 'foreign-authorization-endpoint'],
    ['userinfo endpoint in a private network', 'foreign-userinfo-endpoint'],
    ['key set in a private network', 'foreign-jwks'],
    ['token endpoint at the address of a metadata service', 'token-endpoint-at-link-local-address'],
    ['token endpoint at a private IPv6 address', 'token-endpoint-at-ipv6-address'],
    ['token endpoint on this machine', 'token-endpoint-at-loopback'],
    ['[P3] token endpoint on this machine, over http', 'token-endpoint-at-http-loopback'],
    ['token endpoint at a host without a domain', 'token-endpoint-at-single-label'],
    ['[P3] token endpoint over http', 'token-endpoint-over-http'],
    ['authorization endpoint that is a script', 'authorization-endpoint-script'],
    ['[P3] key set over http', 'insecure-jwks'],
    ['[P7] HTML', 'html'],
  ])('[K22] is rejected: %s', async (_, mode) => {
    const browser = browserFor(`${HOSTILE}/${mode}`)

    const response = await browser.get('/api/auth/signin/oidc')

    expect(response.status).toBe(502)
    expect(await response.text()).toContain('provider_invalid')
  })

  it.each<[issuer: string, endpoint: string, isAccepted: boolean]>([
    ['https://idp.example', 'https://api.idp.example/token', true],
    ['https://idp.example', 'https://vault.corp/token', false],
    ['https://idp.example', 'https://api.idp.example./token', false],
    ['https://idp.example', 'https://user@api.idp.example/token', false],
    ['https://idp.example', 'https://:password@api.idp.example/token', false],
    ...LOCAL_DOMAINS.map((domain): [string, string, boolean] => [
      'https://idp.example',
      `https://x.${domain}/`,
      false,
    ]),
    ['https://idp.internal', 'https://idp.internal/token', true],
    ['https://idp.internal', 'https://vault.internal/token', false],
    ['https://idp.corp', 'https://10.0.0.1/token', false],
    ['https://10.0.0.1', 'https://10.0.0.2/token', false],
    ['http://localhost:8080', 'http://127.0.0.1:8081/token', true],
  ])('[K22] of %s may name %s: %s', async (issuer, token_endpoint, isAccepted) => {
    const config = {
      ...Oidc({ issuer, clientId: 'our-client', clientSecret: 'our-secret-Kq7vR2' }),
      fetch: async () => Response.json({ issuer, token_endpoint }),
    }

    const reading = authorizationServer(resolveProvider(config, LOGIN))

    if (isAccepted) expect(await reading).toMatchObject({ token_endpoint })
    else await expect(reading).rejects.toMatchObject({ code: 'provider_invalid' })
  })

  it('is found at the address of RFC 8414 §3.1, which has the path of the issuer at its end', async () => {
    const issuer = 'https://idp.example/tenant'
    const config = {
      ...Oidc({ clientId: 'our-client', clientSecret: 'our-secret-Kq7vR2' }),
      wellKnown: 'https://idp.example/.well-known/oauth-authorization-server/tenant',
      fetch: async () => Response.json({ issuer }),
    }

    const server = await authorizationServer(resolveProvider(config, LOGIN))

    expect(server.issuer).toBe(issuer)
  })

  it('[K22] may name endpoints on other https origins, as those of Google, Cognito and Entra do', async () => {
    const browser = browserFor(`${HOSTILE}/other-origins`)
    const authorization = await startSignIn(browser)

    expect(authorization.origin).toBe('https://api.hostile.example')
    expect(await signInAt('other-origins')).toMatchObject({
      status: 302,
      session: { user: { name: 'Pat Example' } },
    })
  })

  it.each([
    ['[P6] it redirects', 'redirecting'],
    ['[P5] it is longer than 256 KiB', 'oversized-metadata'],
  ])('[K22] is treated as unavailable: %s', async (_, mode) => {
    const response = await browserFor(`${HOSTILE}/${mode}`).get('/api/auth/signin/oidc')

    expect(response.status).toBe(503)
  })

  it('oidcc-client-test-discovery-openid-config: is cached, not read for each sign-in', async () => {
    const browser = browserFor(`${HOSTILE}/cached`)

    for (let attempt = 0; attempt < 5; attempt++) await startSignIn(browser)

    expect(await countRequests('/cached/.well-known/openid-configuration')).toBe(1)
  })

  it('is read again after an hour, because the provider may have changed its endpoints', async () => {
    const browser = browserFor(`${HOSTILE}/read-again`)
    await startSignIn(browser)

    advanceClock(HOUR - 10)
    await startSignIn(browser)
    expect(await countRequests('/read-again/.well-known/openid-configuration')).toBe(1)
    advanceClock(10)
    await startSignIn(browser)
    expect(await countRequests('/read-again/.well-known/openid-configuration')).toBe(2)
  })

  it('[P9] is used for a day if the provider is unavailable', async () => {
    const browser = browserFor(`${HOSTILE}/down`)
    await startSignIn(browser)

    advanceClock(2 * HOUR)
    expect((await startSignIn(browser)).pathname).toBe('/down/authorize')

    advanceClock(26 * HOUR)
    expect((await browser.get('/api/auth/signin/oidc')).status).toBe(503)
  })

  it('[P10] is not requested again immediately after a failure', async () => {
    const browser = browserFor(`${HOSTILE}/redirecting`)
    const before = await countRequests('/redirecting/.well-known/openid-configuration')

    for (let attempt = 0; attempt < 10; attempt++) await browser.get('/api/auth/signin/oidc')

    expect(
      (await countRequests('/redirecting/.well-known/openid-configuration')) - before,
    ).toBeLessThanOrEqual(2)
  })
})
