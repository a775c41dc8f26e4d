import { env } from 'cloudflare:workers'
import { calculatePKCECodeChallenge } from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { stopClock } from '../../clock.ts'
import { redirectUrl } from '../../redirect.ts'
import { calls, recordedBindings } from './recorded-calls.ts'
import { basic, bearer, formRequest, OFFLINE_ACCESS, RelyingApp } from './relying-app.ts'

const service = serviceWith(recordedBindings)

async function requestTokens(
  form: Record<string, string>,
): Promise<{ access_token: string; refresh_token: string }> {
  const response = await service(formRequest('/oidc/token', { client_id: 'shop', ...form }))
  expect(response.status).toBe(200)
  return response.json()
}

describe('the calls to storage', () => {
  const browser = new Browser(service)
  const app = new RelyingApp('shop')
  let callback: URL
  let refreshToken: string

  /** Runs everything that an isolate does only once, before the calls are counted. */
  beforeEach(async () => {
    if (browser.cookies.size === 0) await browser.signIn('mia')
    const first = await app.callbackFor(browser, OFFLINE_ACCESS)
    refreshToken = (await requestTokens(app.codeExchangeForm(first))).refresh_token
    callback = await app.callbackFor(browser, OFFLINE_ACCESS)
    calls.length = 0
  })

  it('of a sign-out on our own page: the session ends first, and clients are not looked up', async () => {
    const other = new Browser(service)
    await other.signIn('mia')
    calls.length = 0

    await other.post('/api/auth/signout', {}, { Origin: LOGIN })

    // The last one records the sign-out, after the response.
    expect(calls).toEqual(['USERS.endSession', 'SESSIONS.delete', 'DIRECTORY.batch'])
  })

  it('of a code exchange: one to the user object, none to KV or D1', async () => {
    await requestTokens(app.codeExchangeForm(callback))

    expect(calls).toEqual(['USERS.redeemCode'])
  })

  it('of a refresh: one to the user object, none to KV or D1', async () => {
    await requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken })

    expect(calls).toEqual(['USERS.rotateRefreshToken'])
  })

  it('of userinfo: one to the user object, once the isolate knows what is revoked of the client', async () => {
    stopClock()
    const { access_token } = await requestTokens(app.codeExchangeForm(callback))
    await browser.get('/oidc/userinfo', bearer(access_token))
    calls.length = 0

    await browser.get('/oidc/userinfo', bearer(access_token))

    expect(calls).toEqual(['USERS.readGrant'])
  })

  it('of the introspection of a refresh token: one to the user object', async () => {
    const tokens = await new RelyingApp('web').tokens(browser, OFFLINE_ACCESS)
    calls.length = 0
    const form = { token: tokens.refresh_token ?? '' }

    const response = await service(formRequest('/oidc/introspect', form, basic('web')))

    expect(await response.json()).toMatchObject({ active: true })
    expect(calls).toEqual(['USERS.readRefreshToken'])
  })

  it('of an authorization request with a session: one to the user object', async () => {
    await app.callbackFor(browser)

    expect(calls).toEqual(['USERS.authorize'])
  })

  it('of GET /api/auth/session: one, to KV without a token and to the user object with one', async () => {
    await browser.get('/api/auth/session?token=false')
    await browser.get('/api/auth/session')

    expect(calls).toEqual(['SESSIONS.get', 'USERS.readSession'])
  })

  it('of JWKS, discovery and the start of a sign-in: none', async () => {
    // The keys that are published are read again when the copy is older than five seconds.
    stopClock()
    await browser.get('/.well-known/jwks.json')
    calls.length = 0

    await browser.get('/.well-known/jwks.json')
    await browser.get('/.well-known/openid-configuration')
    await browser.start()

    expect(calls).toEqual([])
  })

  it('of a sign-in: one each to D1, the user object and KV, in this order', async () => {
    await new Browser(service).signIn('noah')

    expect(calls).toEqual(['DIRECTORY.batch', 'USERS.openSession', 'SESSIONS.put'])
  })
})

describe('the calls to storage with 500 clients in the database', () => {
  const browser = new Browser(service)
  const CLIENT_ID = 'one-of-many-250'
  const REDIRECT_URI = `https://${CLIENT_ID}.example/callback`
  const VERIFIER = 'v'.repeat(43)

  beforeAll(async () => {
    const insert = env.DIRECTORY.prepare(
      'INSERT INTO clients (client_id, registration, created_at, updated_at) VALUES (?, ?, 0, 0)',
    )
    const clients = Array.from({ length: 500 }, (_, index) => {
      const redirect_uris = [`https://one-of-many-${index}.example/callback`]
      const registration = { redirect_uris, first_party: true, token_endpoint_auth_method: 'none' }
      return insert.bind(`one-of-many-${index}`, JSON.stringify(registration))
    })
    await env.DIRECTORY.batch(clients)
  })

  afterAll(async () => {
    await env.DIRECTORY.exec("DELETE FROM clients WHERE client_id LIKE 'one-of-many-%'")
  })

  async function requestCode(): Promise<string> {
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid offline_access',
      code_challenge: await calculatePKCECodeChallenge(VERIFIER),
      code_challenge_method: 'S256',
    })
    const response = await browser.get(`/oidc/authorize?${query}`)
    return redirectUrl(response, 303).searchParams.get('code') ?? ''
  }

  async function exchange(code: string) {
    return requestTokens({
      client_id: CLIENT_ID,
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      code,
    })
  }

  it('are the same as with one client in the settings, once the isolate has read them', async () => {
    stopClock()
    await browser.signIn('mia')
    await exchange(await requestCode())
    calls.length = 0

    const code = await requestCode()
    const { refresh_token } = await exchange(code)
    await requestTokens({ client_id: CLIENT_ID, grant_type: 'refresh_token', refresh_token })
    await browser.json('/api/auth/session', { Origin: `https://${CLIENT_ID}.example` })

    expect(calls).toEqual([
      'USERS.authorize',
      'USERS.redeemCode',
      'USERS.rotateRefreshToken',
      'USERS.readSession',
    ])
  })
})
