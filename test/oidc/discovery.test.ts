import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import * as client from 'openid-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const CONFIGURATION = '/.well-known/openid-configuration'
const WEB = SECRETS['web'] ?? ''

const METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** All that is promised. What is added here has a test that keeps the promise. */
const GOLDEN = {
  issuer: LOGIN,
  authorization_endpoint: `${LOGIN}/oidc/authorize`,
  token_endpoint: `${LOGIN}/oidc/token`,
  userinfo_endpoint: `${LOGIN}/oidc/userinfo`,
  revocation_endpoint: `${LOGIN}/oidc/revoke`,
  introspection_endpoint: `${LOGIN}/oidc/introspect`,
  end_session_endpoint: `${LOGIN}/oidc/logout`,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  jwks_uri: `${LOGIN}/.well-known/jwks.json`,
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'form_post'],
  grant_types_supported: [
    'authorization_code',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  userinfo_signing_alg_values_supported: ['RS256', 'ES256'],
  token_endpoint_auth_methods_supported: [...METHODS, 'none'],
  token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256'],
  revocation_endpoint_auth_methods_supported: [...METHODS, 'none'],
  revocation_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256'],
  introspection_endpoint_auth_methods_supported: METHODS,
  introspection_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid', 'profile', 'email', 'platform', 'offline_access'],
  claims_supported: [
    'sub',
    'iss',
    'aud',
    'exp',
    'iat',
    'auth_time',
    'nonce',
    'acr',
    'sid',
    'at_hash',
    'name',
    'preferred_username',
    'picture',
    'profile',
    'email',
    'email_verified',
    'platform',
  ],
  acr_values_supported: ['federated'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  ui_locales_supported: ['en', 'es'],
  claims_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
}

afterEach(() => {
  vi.useRealTimers()
})

/** Lets this person agree to whatever the app asks, and takes the tokens. */
async function tokensOf(app: RelyingApp, browser: Browser, changes = {}) {
  const page = await (
    await browser.get(await app.authorizationUrl({ ...changes, prompt: 'consent' }))
  ).text()
  const request = page.match(/name="request" value="([^"]+)"/)?.[1] ?? ''
  await browser.post('/oidc/consent', { request, answer: 'approve' })
  return app.tokens(browser, changes)
}

describe('the discovery document', () => {
  it('[I1][I3][I7] promises this and nothing else', async () => {
    for (const path of [CONFIGURATION, '/.well-known/oauth-authorization-server']) {
      const response = await new Browser().get(path)

      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(await response.json()).toEqual(GOLDEN)
    }
  })

  it('[I7] has addresses under https alone, and no key that is unset', () => {
    for (const [name, value] of Object.entries(GOLDEN)) {
      if (/_endpoint$|_uri$/.test(name)) expect(value).toMatch(/^https:\/\/[^?#]+$/)
      if (Array.isArray(value)) expect(value.length).toBeGreaterThan(0)
    }
    expect(GOLDEN.id_token_signing_alg_values_supported).toContain('RS256')
    expect(GOLDEN.id_token_signing_alg_values_supported).not.toContain('none')
  })

  it.each<Record<string, string>>([
    { 'X-Forwarded-Host': 'evil.example' },
    { 'X-Forwarded-Proto': 'http', 'X-Forwarded-Port': '8080' },
    { Forwarded: 'host=evil.example;proto=http' },
    { 'X-Original-Host': 'evil.example', 'X-Original-URL': '/evil' },
    { Origin: 'https://evil.example' },
  ])('[I2] is the same whatever a request claims: %o', async (headers) => {
    expect(await new Browser().json(CONFIGURATION, headers)).toEqual(GOLDEN)
  })

  it('[I2] is the same at another host', async () => {
    const elsewhere = new Browser(serviceWith({}), 'https://evil.example')

    expect(await elsewhere.json(CONFIGURATION)).toEqual(GOLDEN)
  })

  it('[I5] is for everybody to read, without credentials', async () => {
    for (const path of [CONFIGURATION, '/.well-known/jwks.json']) {
      const { headers } = await new Browser().get(path, { Origin: 'https://anybody.example' })

      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
      expect(headers.get('Set-Cookie')).toBeNull()
      const [, seconds] = headers.get('Cache-Control')?.match(/^public, max-age=(\d+)$/) ?? []
      expect(Number(seconds)).toBeLessThanOrEqual(300)
      expect(Number(seconds)).toBeGreaterThan(0)
    }
  })
})

describe('the promise of', () => {
  /** Which of our clients lives by it. */
  const BY_METHOD: Record<string, string> = {
    client_secret_basic: 'web',
    client_secret_post: 'post',
    private_key_jwt: 'signer',
    none: 'native',
  }
  const BY_ALGORITHM: Record<string, string> = { RS256: 'web', ES256: 'post' }

  it.each(GOLDEN.token_endpoint_auth_methods_supported)(
    '[I3] the client authentication %s is kept',
    async (method) => {
      const app = new RelyingApp(BY_METHOD[method])
      const tokens = await tokensOf(app, await signedIn())
      expect(tokens.claims()?.aud).toBe(BY_METHOD[method])
      expect((await post('/oidc/userinfo', { access_token: tokens.access_token })).status).toBe(200)

      await client.tokenRevocation(await app.configuration(), tokens.access_token)

      expect((await post('/oidc/userinfo', { access_token: tokens.access_token })).status).toBe(401)
    },
  )

  it.each(GOLDEN.introspection_endpoint_auth_methods_supported)(
    '[I3] introspection by %s is kept',
    async (method) => {
      const app = new RelyingApp(BY_METHOD[method])
      const { access_token } = await app.tokens(await signedIn())

      expect(
        (await client.tokenIntrospection(await app.configuration(), access_token)).active,
      ).toBe(true)
    },
  )

  it.each(GOLDEN.id_token_signing_alg_values_supported)(
    '[I3] ID tokens by %s is kept',
    async (alg) => {
      const { id_token = '' } = await new RelyingApp(BY_ALGORITHM[alg]).tokens(await signedIn())
      const keys = createLocalJWKSet(await new Browser().json('/.well-known/jwks.json'))

      const { protectedHeader } = await jwtVerify(id_token, keys, {
        algorithms: [alg],
        issuer: LOGIN,
      })

      expect(protectedHeader.alg).toBe(alg)
    },
  )

  it('[I3] the scopes and grant types is kept', async () => {
    const app = new RelyingApp()
    // The claim behind `platform` has tests of its own; a client has the scope only if it is registered for it.
    const scope = GOLDEN.scopes_supported.filter((one) => one !== 'platform').join(' ')
    const tokens = await app.tokens(await signedIn(), { scope })

    expect(tokens.scope).toBe(scope)
    expect((await app.refresh(tokens.refresh_token ?? '')).scope).toBe(scope)
  })

  it('[I3] nothing else is made by accident', async () => {
    const others = { grant_type: 'client_credentials', scope: 'openid' }

    expect((await post('/oidc/token', others, basic('web', WEB))).status).toBe(400)
    for (const path of ['/oidc/register', '/oidc/device', '/oidc/par', '/oidc/session'])
      expect((await new Browser().get(path)).status).toBe(404)
  })
})

describe('the published keys', () => {
  it('[I4][E12] are public, strong, and named by their thumbprints', async () => {
    const { keys } = await new Browser().json<JSONWebKeySet>('/.well-known/jwks.json')

    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
    for (const key of keys) {
      expect(key.kid).toBe(await calculateJwkThumbprint(key))
      expect(key.use).toBe('sig')
      const members = key.kty === 'EC' ? ['crv', 'x', 'y'] : ['e', 'n']
      expect(Object.keys(key).sort()).toEqual(['alg', 'kid', 'kty', 'use', ...members].sort())
      expect(await importJWK(key)).toMatchObject({ type: 'public' })
      if (key.kty === 'EC') expect([key.alg, key.crv]).toEqual(['ES256', 'P-256'])
      else
        expect(
          atob((key.n ?? '').replaceAll('-', '+').replaceAll('_', '/')).length,
        ).toBeGreaterThanOrEqual(256)
    }
  })

  it('[I5] are not sent again to who has them', async () => {
    const first = await new Browser().get('/.well-known/jwks.json')
    const etag = first.headers.get('ETag') ?? ''

    const second = await new Browser().get('/.well-known/jwks.json', { 'If-None-Match': etag })

    expect(etag).toMatch(/^"[^"]+"$/)
    expect([second.status, await second.text(), second.headers.get('ETag')]).toEqual([
      304,
      '',
      etag,
    ])
    const stale = await new Browser().get('/.well-known/jwks.json', { 'If-None-Match': '"old"' })
    expect(stale.status).toBe(200)
  })

  it('[I6] hold the next key before it signs, and the last one for as long as its ID tokens are good as hints', async () => {
    const keyring = env.KEYRING.get(env.KEYRING.newUniqueId())
    const service = serviceWith({ KEYRING: { idFromName: () => 'any', get: () => keyring } })
    const browser = new Browser(service)
    const published = async () => {
      const { keys } = await browser.json<JSONWebKeySet>('/.well-known/jwks.json')
      return keys.map(({ kid }) => kid)
    }
    /** By which key a session token is signed, once people have signed in. */
    const signer = async () => {
      await browser.signIn('mia')
      return decodeProtectedHeader((await browser.session())?.token ?? '').kid
    }
    const [before, first] = [await published(), await signer()]
    const { rotatesAt } = await keyring.read()

    vi.useFakeTimers({ now: (rotatesAt + 301) * 1000, toFake: ['Date'] })
    await runDurableObjectAlarm(keyring)
    // Past the five minutes for which an isolate remembers.
    const second = await signer()

    expect(second).not.toBe(first)
    expect(before).toContain(second)
    expect(await published()).toEqual(expect.arrayContaining([first, second]))
    // An ID token is good as a hint for as long as its session may live: a month.
    vi.useFakeTimers({ now: (rotatesAt + 301 + 29 * 24 * 3600) * 1000, toFake: ['Date'] })
    expect(await published()).toContain(first)
    vi.useFakeTimers({ now: (rotatesAt + 700 + 32 * 24 * 3600) * 1000, toFake: ['Date'] })
    await runDurableObjectAlarm(keyring)
    expect(await published()).not.toContain(first)
  })
})
