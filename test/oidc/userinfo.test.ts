import { env, exports } from 'cloudflare:workers'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

type Claims = Record<string, unknown>

afterEach(() => {
  vi.useRealTimers()
})

function get(Authorization?: string): Promise<Response> {
  return new Browser().get('/oidc/userinfo', Authorization === undefined ? {} : { Authorization })
}

/** What an app with this scope is told. */
async function claimsFor(changes: Record<string, string>, browser?: Browser): Promise<Claims> {
  const tokens = await new RelyingApp().tokens(browser ?? (await signedIn()), changes)
  return (await get(`Bearer ${tokens.access_token}`)).json()
}

describe('/oidc/userinfo', () => {
  it.each<[string, (token: string) => Promise<Response>]>([
    ['GET', (token) => get(`Bearer ${token}`)],
    [
      'POST with a header and a form',
      (token) => post('/oidc/userinfo', {}, { Authorization: `Bearer ${token}` }),
    ],
    ['POST with a form', (token) => post('/oidc/userinfo', { access_token: token })],
    [
      'POST with a header and nothing else',
      (token) =>
        new Browser().fetch('/oidc/userinfo', {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
        }),
    ],
  ])('[H1][H2][H7] %s', async (_, ask) => {
    const tokens = await new RelyingApp().tokens(await signedIn())

    const response = await ask(tokens.access_token)

    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Vary')).toMatch(/\bAuthorization\b/)
    expect(await response.json()).toMatchObject({
      sub: tokens.claims()?.sub,
      name: 'Mia Lindqvist',
    })
  })

  it('[H1] looks at no body but a form', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const asked = (headers: Record<string, string>) =>
      exports.default.fetch('https://login.example/oidc/userinfo', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ access_token }),
      })

    expect((await asked({ Authorization: `Bearer ${access_token}` })).status).toBe(200)
    expect((await asked({})).status).toBe(401)
  })

  it('[H1] takes a token shown in one way, not in two', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())

    const response = await post(
      '/oidc/userinfo',
      { access_token },
      { Authorization: `Bearer ${access_token}` },
    )

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('[H3][H4] tells who only asks for openid a subject, and nothing else', async () => {
    expect(Object.keys(await claimsFor({ scope: 'openid' }))).toEqual(['sub'])
  })

  it('[H3] leaves out what it does not know', async () => {
    const claims = await claimsFor({ scope: 'openid profile email' }, await signedIn('emil'))

    for (const name of ['picture', 'email']) expect(claims).not.toHaveProperty(name)
    expect(claims).toHaveProperty('preferred_username', 'emil')
  })

  it('tells what was asked for one by one, as far as it knows it', async () => {
    const claims = {
      userinfo: { name: { essential: true }, unknown: null, sub: null },
      id_token: { picture: null },
    }

    const told = await claimsFor({ scope: 'openid', claims: JSON.stringify(claims) })

    expect(Object.keys(told).sort()).toEqual(['name', 'sub'])
  })

  it('[H5] refuses a token whose time, session or client has ended', async () => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const { access_token } = await app.tokens(browser)
    const other = await app.tokens(browser)
    const gone = serviceWith({
      CLIENTS: [{ client_id: 'blog', redirect_uris: ['https://blog.example/'] }],
    })
    const header = { Authorization: `Bearer ${access_token}` }
    expect((await new Browser(gone).get('/oidc/userinfo', header)).status).toBe(401)

    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    expect((await get(header.Authorization)).status).toBe(401)
    vi.useRealTimers()
    expect((await get(header.Authorization)).status).toBe(200)
    await browser.post('/api/auth/signout', {})

    expect((await get(`Bearer ${other.access_token}`)).status).toBe(401)
  })

  it.each(['ES256', 'RS256'])(
    '[H6] signs its answer with %s for a client that wants it',
    async (alg) => {
      const clients = (env as unknown as { CLIENTS: Claims[] }).CLIENTS
      const CLIENTS = clients.map((one) => ({
        ...one,
        ...(one['client_id'] === 'post' && { userinfo_signed_response_alg: alg }),
      }))
      const { access_token } = await new RelyingApp('post').tokens(await signedIn())
      const browser = new Browser(serviceWith({ CLIENTS }))

      const response = await browser.get('/oidc/userinfo', {
        Authorization: `Bearer ${access_token}`,
      })

      expect(response.headers.get('Content-Type')).toBe('application/jwt')
      const token = new TextDecoder().decode(await response.arrayBuffer())
      const keys = createLocalJWKSet(await browser.json('/.well-known/jwks.json'))
      const options = { issuer: LOGIN, audience: 'post', algorithms: [alg] }
      expect((await jwtVerify(token, keys, options)).payload).toMatchObject({
        sub: decodeJwt(access_token).sub,
        name: 'Mia Lindqvist',
      })
    },
  )
})

describe('a bearer token', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEARER'])('[F7] is shown under %s', async (scheme) => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())

    expect((await get(`${scheme} ${access_token}`)).status).toBe(200)
  })

  it.each(['Basic', 'Token', 'DPoP', 'Bearer:', 'Bearerx', 'MAC', ''])(
    '[F7] is not shown under %j',
    async (scheme) => {
      const { access_token } = await new RelyingApp().tokens(await signedIn())

      const response = await get(`${scheme} ${access_token}`.trim())

      expect(response.status).toBe(401)
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
    },
  )

  it('[F8] in the address is not looked at', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const browser = new Browser()

    for (const method of ['GET', 'POST']) {
      const response = await browser.fetch(`/oidc/userinfo?access_token=${access_token}`, {
        method,
      })
      expect(response.status).toBe(401)
    }
    const asked = await post(
      `/oidc/introspect?token=${access_token}`,
      { token: '' },
      basic('web', SECRETS['web'] ?? ''),
    )
    expect(await asked.json()).not.toHaveProperty('sub')
  })

  it('[F9] is asked for without a word when none is shown, and named when it is wrong', async () => {
    const none = await get()
    expect([none.status, none.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])

    for (const token of ['wrong', 'two words', '"quoted"', '{}']) {
      const wrong = await get(`Bearer ${token}`)
      expect(wrong.status).toBe(401)
      expect(wrong.headers.get('WWW-Authenticate')).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]+"$/,
      )
    }
  })

  it('[F10] without openid is told what it lacks', async () => {
    const [app, browser] = [new RelyingApp('post'), await signedIn()]
    const callback = await app.callback(browser, { scope: 'profile' })
    const redeemed = await post('/oidc/token', {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
      client_id: 'post',
      client_secret: SECRETS['post'] ?? '',
    })
    const { access_token } = await redeemed.json<{ access_token: string }>()

    const response = await get(`Bearer ${access_token}`)

    expect(response.status).toBe(403)
    expect(response.headers.get('WWW-Authenticate')).toMatch(
      /error="insufficient_scope".*scope="openid"/,
    )
  })

  it('[F2] for an API alone is not for us', async () => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const { refresh_token = '' } = await app.tokens(browser, {
      scope: 'openid profile offline_access',
    })
    const { access_token } = await app.refresh(refresh_token, { scope: 'profile' })

    expect(decodeJwt(access_token).aud).toBe('https://orders.example')
    expect((await get(`Bearer ${access_token}`)).status).toBe(401)
  })

  it('is read by the pages of registered apps, and of no others', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const ask = async (Origin: string, method = 'GET') => {
      const headers = {
        Origin,
        ...(method === 'GET' && { Authorization: `Bearer ${access_token}` }),
      }
      const response = await exports.default.fetch(
        new Request(`${LOGIN}/oidc/userinfo`, { method, headers }),
      )
      return [
        response.headers.get('Access-Control-Allow-Origin'),
        response.headers.get('Access-Control-Allow-Credentials'),
      ]
    }

    for (const method of ['GET', 'OPTIONS']) {
      expect(await ask('https://kiosk.example', method)).toEqual(['https://kiosk.example', null])
      for (const origin of [
        'https://evil.example',
        'null',
        'http://shop.example',
        'http://127.0.0.1',
      ])
        expect(await ask(origin, method)).toEqual([null, null])
    }
  })
})
