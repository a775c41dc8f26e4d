import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { walkThrough } from './walk-through.ts'

const HOSTILE = 'https://hostile.example'

/** A deployment that trusts this provider. */
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

async function startAt(browser: Browser): Promise<URL> {
  const response = await browser.get('/api/auth/signin/oidc')
  expect(response.status).toBe(302)
  return new URL(response.headers.get('Location') ?? '')
}

/** A sign-in at the hostile provider, whose answer has this fault. */
async function signInAt(mode: string, fault?: string, browser = browserFor(`${HOSTILE}/${mode}`)) {
  const authorization = await startAt(browser)
  const state = authorization.searchParams.get('state') ?? ''
  const code = JSON.stringify({ nonce: authorization.searchParams.get('nonce'), fault })
  const response = await browser.get(
    `/api/auth/callback/oidc?${new URLSearchParams({ code, state })}`,
  )
  const page = await response.text()
  return {
    status: response.status,
    code: page.match(/<dt>Code<\/dt><dd>(\w+)<\/dd>/)?.[1],
    session: await browser.session(),
  }
}

async function asked(path: string): Promise<number> {
  const counts: Record<string, number> = await (await fetch(`${HOSTILE}/asked`)).json()
  return counts[path] ?? 0
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a certified OpenID Provider', () => {
  const browser = () => browserFor('https://op.example')

  it('[K7] signs a person in: discovery, code, PKCE, nonce, ID token', async () => {
    const alice = browser()
    const authorization = await startAt(alice)

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

  it('stands on the sign-in page beside the video platform and a plain OAuth 2 server', async () => {
    const all = browserFor('https://op.example', {
      AUTH_OIDC_NAME: 'Our company',
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
      AUTH_GITLAB_ISSUER: 'https://git.example',
    })
    const page = await (await all.get('/api/auth/signin')).text()
    for (const name of ['TikTok', 'GitLab', 'Our company'])
      expect(page).toContain(`Continue with ${name}`)

    expect((await all.get(await walkThrough(await startAt(all), 'alice'))).status).toBe(302)
    expect(await all.session()).toMatchObject({ user: { name: 'Alice Park' } })

    expect((await all.signIn('mia', { prompt: 'login' })).status).toBe(302)
    expect(await all.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })

    const start = await all.get('/api/auth/signin/gitlab?prompt=login')
    const plain = await fetch(start.headers.get('Location') ?? '', { redirect: 'manual' })
    expect((await all.get(plain.headers.get('Location') ?? '')).status).toBe(302)
    expect(await all.session()).toMatchObject({ user: { name: 'Gitta Lab', username: 'gitta' } })
  })

  it('[K3] accepts an answer only at the callback of the provider that was asked', async () => {
    const mixed = browserFor('https://op.example', {
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
    })
    const callback = await walkThrough(await startAt(mixed), 'alice')

    for (const other of ['tiktok', 'gitlab']) {
      const response = await mixed.get(callback.replace('/callback/oidc', `/callback/${other}`))
      expect(await response.text()).toContain('attempt_missing')
    }
    expect(await mixed.session()).toBeNull()
  })

  it('[K20] keeps tokens sealed where it keeps them, and gives them to nobody', async () => {
    const alice = browserFor('https://op.example', { AUTH_OIDC_TOKENS: 'keep' })
    await alice.get(await walkThrough(await startAt(alice), 'alice'))
    const session = await alice.session()
    const object = env.USERS.get(env.USERS.idFromName(session?.user.id ?? ''))

    const upstream = await runInDurableObject(object, (_, { storage }) =>
      storage.kv.get<{ sealedTokens: string }>('upstream:oidc alice'),
    )
    const opened = await readConfig(env).seal.open(
      'account',
      'oidc alice',
      upstream?.sealedTokens ?? '',
    )

    expect(Object.keys(JSON.parse(opened ?? '{}')).toSorted()).toEqual([
      'access_token',
      'expires_at',
      'id_token',
      'scope',
      'token_type',
    ])
    expect(JSON.stringify(session)).not.toContain(JSON.parse(opened ?? '{}').access_token)
  })
})

describe('an ID token', () => {
  it('oidcc-client-test: a good one signs in', async () => {
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
    ['a nonce that is missing', 'no-nonce'],
    ['several audiences without azp', 'aud-array-without-azp'],
    ['another azp', 'wrong-azp'],
    ['no expiry', 'no-exp'],
    ['an expiry that is text', 'exp-text'],
    ['an expiry that has passed', 'expired'],
    ['a validity that has not begun', 'nbf-future'],
    ['a kid nobody knows', 'unknown-kid'],
    ['a key in its own header (CVE-2026-27962)', 'jwk-header'],
    ['[E13] being encrypted', 'encrypted'],
    ['no shape of a JWT', 'not-a-jwt'],
    ['no presence at all', 'no-id-token'],
    ['an odd token type', 'token-type-odd'],
  ])('[K7] is refused for %s', async (_, fault) => {
    const before = await asked('/plain/userinfo')

    expect(await signInAt('plain', fault)).toEqual({
      status: 502,
      code: 'provider_invalid',
      session: null,
    })
    expect(await asked('/plain/userinfo')).toBe(before)
  })

  it.each([
    ['rsa-2048', true],
    ['rsa-2040', false],
    ['rsa-1024', false],
    ['es256-p256', true],
    ['es256-p384', false],
    ['es256-p521', false],
    ['es256-secp256k1', false],
  ])('[E12] signed with a key of %s is good: %s', async (mode, isGood) => {
    const refused = { status: 502, code: 'provider_invalid', session: null }

    expect(await signInAt(mode)).toMatchObject(isGood ? { status: 302 } : refused)
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
    'keys-of-nothing',
    'keys-broken',
    'keys-for-encryption',
    'keys-that-only-wrap',
    'keys-of-another-algorithm',
  ])('[K7] is refused with %s', async (mode) => {
    expect(await signInAt(mode)).toMatchObject({ status: 502, code: 'provider_invalid' })
  })

  it('oidcc-client-test-kid-absent-single-jwks: needs no kid where there is one key', async () => {
    expect(await signInAt('one-key', 'no-kid')).toMatchObject({ status: 302 })
  })

  it.each(['one-that-verifies', 'methods-null'])(
    'is good with metadata such as %s',
    async (mode) => {
      const fault = mode === 'one-that-verifies' ? 'no-kid' : undefined

      expect(await signInAt(mode, fault)).toMatchObject({ status: 302 })
    },
  )

  it('[P11] may be twenty seconds ahead of our clock', async () => {
    expect(await signInAt('plain', 'skew-forward')).toMatchObject({ status: 302 })
  })

  it('[E11] with a kid nobody knows has the keys fetched again once, not each time', async () => {
    const browser = browserFor(`${HOSTILE}/kids`)
    await signInAt('kids', undefined, browser)
    for (let attempt = 0; attempt < 5; attempt++) await signInAt('kids', 'unknown-kid', browser)

    expect(await asked('/kids/jwks')).toBeLessThanOrEqual(2)
  })

  it('oidcc-client-test-client-secret-basic: goes with the authentication the provider knows', async () => {
    expect(await signInAt('basic', 'basic-expected')).toMatchObject({ status: 302 })
  })

  it('[K4] needs iss in the callback where the provider promised it (RFC 9207)', async () => {
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
    ['leads to another origin', 'elsewhere'],
    ['leads to another origin for revocation', 'revocation-elsewhere'],
    ['[P3] leads to http', 'insecure-jwks'],
    ['[P7] is HTML', 'html'],
  ])('[K22] is refused that %s', async (_, mode) => {
    const browser = browserFor(`${HOSTILE}/${mode}`)

    const response = await browser.get('/api/auth/signin/oidc')

    expect(response.status).toBe(502)
    expect(await response.text()).toContain('provider_invalid')
  })

  it.each([
    ['[P6] redirects', 'redirecting'],
    ['[P5] is longer than 256 KiB', 'endless-metadata'],
  ])('[K22] is not believed that %s', async (_, mode) => {
    const response = await browserFor(`${HOSTILE}/${mode}`).get('/api/auth/signin/oidc')

    expect(response.status).toBe(503)
  })

  it('oidcc-client-test-discovery-openid-config: is read once an hour, not for each sign-in', async () => {
    const browser = browserFor(`${HOSTILE}/often`)
    for (let attempt = 0; attempt < 5; attempt++) await startAt(browser)

    expect(await asked('/often/.well-known/openid-configuration')).toBe(1)
  })

  it('[P9] bridges an outage with what it said last, for a day', async () => {
    const browser = browserFor(`${HOSTILE}/down`)
    await startAt(browser)
    vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ['Date'] })

    expect((await startAt(browser)).pathname).toBe('/down/authorize')

    vi.useFakeTimers({ now: Date.now() + 26 * 3_600_000, toFake: ['Date'] })
    expect((await browser.get('/api/auth/signin/oidc')).status).toBe(503)
  })

  it('[P10] that cannot be had is not asked for again at once', async () => {
    const browser = browserFor(`${HOSTILE}/redirecting`)
    const before = await asked('/redirecting/.well-known/openid-configuration')
    for (let attempt = 0; attempt < 10; attempt++) await browser.get('/api/auth/signin/oidc')

    expect(
      (await asked('/redirecting/.well-known/openid-configuration')) - before,
    ).toBeLessThanOrEqual(2)
  })
})
