import { exports } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { walkThrough } from '../../providers/walk-through.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith, clientsWithout } from '../../registered-clients.ts'
import { verifyWithPublishedKeys } from './published-metadata.ts'
import {
  basic,
  bearer,
  formRequest,
  getUserinfo,
  OFFLINE_ACCESS,
  postForm,
  RelyingApp,
  signedIn,
} from './relying-app.ts'

type Claims = Record<string, unknown>

const METADATA_PATH = '/.well-known/oauth-protected-resource/oidc/userinfo'
const METADATA = `resource_metadata="${LOGIN}${METADATA_PATH}"`

afterEach(() => {
  vi.useRealTimers()
})

/** A GET with this Authorization header, or with none. */
function getWithHeader(Authorization?: string): Promise<Response> {
  return new Browser().get('/oidc/userinfo', Authorization === undefined ? {} : { Authorization })
}

/** The claims returned for an authorization request with these parameters. */
async function claimsFor(changes: Record<string, string>, persona?: string): Promise<Claims> {
  const tokens = await new RelyingApp().tokens(await signedIn(persona), changes)
  return (await getUserinfo(tokens.access_token)).json()
}

/** Signs in through an OpenID Connect provider that has verified the user's email address. */
async function signedInWithEmail(): Promise<Browser> {
  const browser = new Browser(
    serviceWith({
      AUTH_OIDC_ID: 'our-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: 'https://op.example',
    }),
  )
  const authorization = redirectUrl(await browser.get('/api/auth/signin/oidc'))
  await browser.get(await walkThrough(authorization, 'alice'))
  return browser
}

async function accessToken(): Promise<string> {
  return (await new RelyingApp().tokens(await signedIn())).access_token
}

describe('/oidc/userinfo', () => {
  it.each<[string, (token: string) => Promise<Response>]>([
    ['GET', getUserinfo],
    ['POST with a header and a form', (token) => postForm('/oidc/userinfo', {}, bearer(token))],
    ['POST with a form', (token) => postForm('/oidc/userinfo', { access_token: token })],
    [
      'POST with a header and no body',
      (token) => new Browser().fetch('/oidc/userinfo', { method: 'POST', headers: bearer(token) }),
    ],
  ])('[H1][H2][H7] %s returns the claims', async (_, request) => {
    const tokens = await new RelyingApp().tokens(await signedIn())

    const response = await request(tokens.access_token)

    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Vary')).toMatch(/\bAuthorization\b/)
    expect(await response.json()).toMatchObject({
      sub: tokens.claims()?.sub,
      name: 'Mia Lindqvist',
    })
  })

  it('[E8][H3] returns claims of the right types, and the client with minimal ID tokens gets them here alone', async () => {
    const browser = await signedInWithEmail()
    const tokens = await new RelyingApp('certifier').tokens(browser, {
      scope: 'openid profile email address phone',
    })

    const claims = await (await getUserinfo(tokens.access_token)).json<Claims>()

    expect(claims).toEqual({
      sub: tokens.claims()?.sub,
      name: 'Alice Park',
      preferred_username: 'alice',
      email: 'alice@mail.example',
      email_verified: true,
    })
    for (const name of Object.keys(claims).filter((name) => name !== 'sub'))
      expect(tokens.claims()).not.toHaveProperty(name)
  })

  it('[H1] ignores a body that is not a form', async () => {
    const access_token = await accessToken()
    const postJson = (headers: Record<string, string>) =>
      exports.default.fetch(`${LOGIN}/oidc/userinfo`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ access_token }),
      })

    expect((await postJson(bearer(access_token))).status).toBe(200)
    expect((await postJson({})).status).toBe(401)
  })

  it('[H1] rejects a token sent both in the header and in the form', async () => {
    const access_token = await accessToken()

    const response = await postForm('/oidc/userinfo', { access_token }, bearer(access_token))

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('[H3][H4] returns only sub for the scope openid', async () => {
    expect(Object.keys(await claimsFor({ scope: 'openid' }))).toEqual(['sub'])
  })

  it('[H3] omits claims without a value', async () => {
    const claims = await claimsFor({ scope: 'openid profile email' }, 'emil')

    for (const name of ['picture', 'email']) expect(claims).not.toHaveProperty(name)
    expect(claims).toHaveProperty('preferred_username', 'emil')
  })

  it('returns individually requested claims and ignores unknown ones', async () => {
    const requested = {
      userinfo: { name: { essential: true }, unknown: null, sub: null },
      id_token: { picture: null },
    }

    const claims = await claimsFor({ scope: 'openid', claims: JSON.stringify(requested) })

    expect(Object.keys(claims).sort()).toEqual(['name', 'sub'])
  })

  it('[A31][H3] returns no claim that was outside the scope of the client when the user consented', async () => {
    const requested = JSON.stringify({ userinfo: { name: null }, id_token: { name: null } })
    const changes = { scope: 'openid offline_access', claims: requested }
    const narrow = serviceWith({
      CLIENTS: clientsWith({ web: { scope: 'openid offline_access' } }),
    })
    const [app, browser] = [new RelyingApp(), new Browser(narrow)]
    await browser.signIn('mia')
    const callback = await app.callbackFor(browser, changes)
    const code = app.codeExchangeForm(callback)

    // The registered client has the scope profile.
    const response = await app.requestTokens(code)
    const { access_token, id_token, refresh_token } =
      await response.json<Record<'access_token' | 'id_token' | 'refresh_token', string>>()
    const refreshed = await app.refresh(refresh_token)

    expect(await (await getUserinfo(access_token)).json()).not.toHaveProperty('name')
    expect(decodeJwt(id_token)).not.toHaveProperty('name')
    expect(await (await getUserinfo(refreshed.access_token)).json()).not.toHaveProperty('name')
    expect(refreshed.claims()).not.toHaveProperty('name')
  })

  it('[A31][H3] returns no claim that is outside the scope of the client now, nor does an ID token', async () => {
    const requested = JSON.stringify({ userinfo: { name: null }, id_token: { name: null } })
    const changes = { scope: 'openid offline_access', claims: requested }
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const tokens = await app.tokens(browser, changes)
    const { access_token, refresh_token = '' } = tokens
    const scope = 'openid offline_access'
    const narrow = serviceWith({ CLIENTS: clientsWith({ web: { scope } }) })

    const form = { grant_type: 'refresh_token', refresh_token }
    const refreshed = await narrow(formRequest('/oidc/token', form, basic('web')))
    const { id_token } = await refreshed.json<{ id_token: string }>()

    expect(tokens.claims()).toHaveProperty('name')
    expect(decodeJwt(id_token)).not.toHaveProperty('name')
    expect(await (await getUserinfo(access_token)).json()).toHaveProperty('name')
    const claims = await (await getUserinfo(access_token, new Browser(narrow))).json()
    expect(claims).not.toHaveProperty('name')
  })

  it('[H5] rejects a token that has expired, or whose session or client has ended', async () => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const { access_token } = await app.tokens(browser)
    const { access_token: second } = await app.tokens(browser)
    const withoutClient = new Browser(serviceWith({ CLIENTS: clientsWithout('web') }))
    expect((await getUserinfo(access_token, withoutClient)).status).toBe(401)

    advanceClock(601)
    expect((await getUserinfo(access_token)).status).toBe(401)
    vi.useRealTimers()
    expect((await getUserinfo(access_token)).status).toBe(200)
    await browser.post('/api/auth/signout', {})

    expect((await getUserinfo(second)).status).toBe(401)
  })

  it.each(['ES256', 'RS256'])(
    '[H6] signs its response with %s for a client registered for it',
    async (alg) => {
      const { access_token } = await new RelyingApp('post').tokens(await signedIn())
      const CLIENTS = clientsWith({ post: { userinfo_signed_response_alg: alg } })
      const browser = new Browser(serviceWith({ CLIENTS }))

      const response = await getUserinfo(access_token, browser)

      expect(response.headers.get('Content-Type')).toBe('application/jwt')
      const token = new TextDecoder().decode(await response.arrayBuffer())
      const { payload } = await verifyWithPublishedKeys(token, {
        audience: 'post',
        algorithms: [alg],
      })
      expect(payload).toMatchObject({ sub: decodeJwt(access_token).sub, name: 'Mia Lindqvist' })
    },
  )

  it('is readable by pages of registered apps, without credentials, and by no others', async () => {
    const access_token = await accessToken()
    const corsHeaders = async (Origin: string, method: string) => {
      const headers = { Origin, ...(method === 'GET' && bearer(access_token)) }
      const response = await exports.default.fetch(
        new Request(`${LOGIN}/oidc/userinfo`, { method, headers }),
      )
      return [
        response.headers.get('Access-Control-Allow-Origin'),
        response.headers.get('Access-Control-Allow-Credentials'),
      ]
    }
    const unregistered = ['https://evil.example', 'null', 'http://shop.example', 'http://127.0.0.1']

    for (const method of ['GET', 'OPTIONS']) {
      expect(await corsHeaders('https://kiosk.example', method)).toEqual([
        'https://kiosk.example',
        null,
      ])
      for (const origin of unregistered)
        expect(await corsHeaders(origin, method)).toEqual([null, null])
    }
  })
})

describe('a bearer token', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEARER'])(
    '[F7] is accepted with the scheme %s',
    async (scheme) => {
      const response = await getWithHeader(`${scheme} ${await accessToken()}`)

      expect(response.status).toBe(200)
    },
  )

  it.each(['Basic', 'Token', 'DPoP', 'Bearer:', 'Bearerx', 'MAC', ''])(
    '[F7] is rejected with the scheme %j',
    async (scheme) => {
      const response = await getWithHeader(`${scheme} ${await accessToken()}`.trim())

      expect(response.status).toBe(401)
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
    },
  )

  it('[F8] is ignored in the query', async () => {
    const access_token = await accessToken()

    for (const method of ['GET', 'POST']) {
      const path = `/oidc/userinfo?access_token=${access_token}`
      const response = await new Browser().fetch(path, { method })
      expect(response.status).toBe(401)
    }
    const introspection = await postForm(
      `/oidc/introspect?token=${access_token}`,
      { token: '' },
      basic('web'),
    )
    expect(await introspection.json()).not.toHaveProperty('sub')
  })

  it('[F9] gets a bare challenge when it is missing, and one with an error when it is invalid', async () => {
    const missing = await getWithHeader()
    expect([missing.status, missing.headers.get('WWW-Authenticate')]).toEqual([
      401,
      `Bearer ${METADATA}`,
    ])

    for (const token of ['wrong', 'two words', '"quoted"', '{}']) {
      const invalid = await getUserinfo(token)
      expect(invalid.status).toBe(401)
      expect(invalid.headers.get('WWW-Authenticate')).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+"$/,
      )
    }
  })

  it('is requested as its metadata says, and is for no API (RFC 9728)', async () => {
    const metadata = await new Browser().json<Record<string, unknown>>(METADATA_PATH)
    expect(metadata).toEqual({
      resource: `${LOGIN}/oidc/userinfo`,
      authorization_servers: [LOGIN],
      bearer_methods_supported: ['header', 'body'],
      scopes_supported: ['openid', 'profile', 'email', 'platform'],
    })

    const resource = String(metadata['resource'])
    const app = new RelyingApp('post')
    const callback = await app.callbackFor(await signedIn(), { resource })
    const tokens = await app.requestTokens(app.codeExchangeForm(callback, { resource }))
    const { access_token } = await tokens.json<{ access_token: string }>()
    expect(decodeJwt(access_token).aud).toBe(LOGIN)
    expect((await getUserinfo(access_token)).status).toBe(200)
  })

  it('[F10] without the scope openid gets insufficient_scope', async () => {
    const app = new RelyingApp('post')
    const callback = await app.callbackFor(await signedIn(), { scope: 'profile' })
    const tokens = await app.requestTokens(app.codeExchangeForm(callback))
    const { access_token } = await tokens.json<{ access_token: string }>()

    const response = await getUserinfo(access_token)

    expect(response.status).toBe(403)
    expect(response.headers.get('WWW-Authenticate')).toMatch(
      /error="insufficient_scope".*scope="openid"/,
    )
  })

  it('[F2] issued only for an API is rejected', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    const { access_token } = await app.refresh(refresh_token, { scope: 'profile' })

    const response = await getUserinfo(access_token)

    expect(decodeJwt(access_token).aud).toBe('https://orders.example')
    expect(response.status).toBe(401)
  })
})
