import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LOGIN, serviceWith } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const web = basic('web', SECRETS['web'] ?? '')
const other = { client_id: 'post', client_secret: SECRETS['post'] ?? '' }
const offline = { scope: 'openid profile offline_access' }

afterEach(() => {
  vi.useRealTimers()
})

describe('POST /oidc/introspect', () => {
  it('[G9] says what RFC 7662 names of a living token, and nothing of the person', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const { iss, sub, aud, exp, iat, jti } = decodeJwt(access_token)

    const response = await post('/oidc/introspect', { token: access_token }, web)

    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual({
      active: true,
      token_type: 'Bearer',
      client_id: 'web',
      scope: 'openid profile',
      ...{ iss, sub, aud, exp, iat, jti },
    })
  })

  it('is understood by a certified client, with either way to authenticate', async () => {
    const browser = await signedIn()
    for (const clientId of ['web', 'post']) {
      const app = new RelyingApp(clientId)
      const { access_token } = await app.tokens(browser)

      const told = await client.tokenIntrospection(await app.configuration(), access_token)

      expect(told).toMatchObject({ active: true, client_id: clientId })
    }
  })

  it.each(['access_token', 'refresh_token', 'nonsense'])(
    'finds an access token whatever the hint: %s',
    async (hint) => {
      const { access_token } = await new RelyingApp().tokens(await signedIn())

      const response = await post(
        '/oidc/introspect',
        { token: access_token, token_type_hint: hint },
        web,
      )

      expect(await response.json()).toMatchObject({ active: true })
    },
  )

  it('[G8] says of everything else that it is not active, and nothing more', async () => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const tokens = await app.tokens(browser, offline)
    const revoked = await app.tokens(browser)
    await post('/oidc/revoke', { token: revoked.access_token }, web)
    const session = await browser.session()
    const cases = {
      malformed: 'x',
      revoked: revoked.access_token,
      'an ID token': tokens.id_token ?? '',
      'a session token': session?.token ?? '',
      'a forged one': `${tokens.access_token.slice(0, -6)}AAAAAA`,
      'one with a tail': `${tokens.access_token}.x`,
    }

    for (const [name, token] of Object.entries(cases)) {
      const response = await post('/oidc/introspect', { token }, web)
      expect([name, response.status, await response.json()]).toEqual([name, 200, { active: false }])
    }
  })

  it('[G8] says so of an expired token, and of one that is no concern of the client', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn(), offline)

    const foreign = await post('/oidc/introspect', { token: access_token, ...other })
    expect(await foreign.json()).toEqual({ active: false })

    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    const expired = await post('/oidc/introspect', { token: access_token }, web)
    expect(await expired.json()).toEqual({ active: false })
  })

  it('tells an API about the tokens for it, whoever holds them', async () => {
    const { access_token } = await new RelyingApp('web').tokens(await signedIn())
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('api-secret'))
    const hex = Array.from(new Uint8Array(digest), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
    const api = (resource: string) => ({
      client_id: 'api',
      redirect_uris: ['https://api.example/'],
      client_secrets_sha256: [hex],
      resources: [resource],
    })
    const holder = { client_id: 'web', redirect_uris: ['https://web.example/callback'] }
    const ask = async (resource: string) => {
      const request = new Request(`${LOGIN}/oidc/introspect`, {
        method: 'POST',
        headers: basic('api', 'api-secret'),
        body: new URLSearchParams({ token: access_token }),
      })
      return (await serviceWith({ CLIENTS: [api(resource), holder] })(request)).json()
    }

    expect(await ask('https://orders.example')).toMatchObject({ active: true, client_id: 'web' })
    expect(await ask('https://stock.example')).toEqual({ active: false })
  })

  it.each<[string, Record<string, string>, Record<string, string>, number]>([
    ['a public client', { client_id: 'kiosk' }, {}, 400],
    ['nobody', {}, {}, 401],
    ['a wrong secret', {}, basic('web', 'wrong'), 401],
    ['a confidential client without its secret', { client_id: 'web' }, {}, 401],
    ['the bearer of a token', {}, { Authorization: 'Bearer x' }, 401],
  ])('[G7] is refused to %s', async (_, form, headers, status) => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())

    const response = await post('/oidc/introspect', { token: access_token, ...form }, headers)

    expect(response.status).toBe(status)
    expect(await response.json()).not.toHaveProperty('active')
  })

  it('says that it cannot tell when storage cannot (503)', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const down = () => Promise.reject(new Error('Durable Object is overloaded.'))
    const USERS = { idFromName: () => 'any', get: () => new Proxy({}, { get: () => down }) }

    const response = await serviceWith({ USERS })(
      new Request(`${LOGIN}/oidc/introspect`, {
        method: 'POST',
        headers: web,
        body: new URLSearchParams({ token: access_token }),
      }),
    )

    expect(response.status).toBe(503)
    expect(await response.json()).not.toHaveProperty('active')
  })
})
