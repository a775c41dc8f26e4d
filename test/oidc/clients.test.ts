import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const WEB = SECRETS['web'] ?? ''

/** Not one of them is `https://kiosk.example/callback`. */
const NEAR_MISSES = [
  'https://kiosk.example/callback/',
  'https://kiosk.example/Callback',
  'https://KIOSK.example/callback',
  'HTTPS://kiosk.example/callback',
  'http://kiosk.example/callback',
  'https://kiosk.example:443/callback',
  'https://kiosk.example:8443/callback',
  'https://kiosk.example./callback',
  'https://kiosk.example//callback',
  'https://kiosk.example/./callback',
  'https://kiosk.example/x/../callback',
  'https://kiosk.example/callback/..',
  'https://kiosk.example/callback/%2e%2e',
  'https://kiosk.example/%63allback',
  'https://kiosk.example/callback%2f',
  'https://kiosk.example/callback%00',
  'https://kiosk.example/callback;x',
  'https://kiosk.example/callback?',
  'https://kiosk.example/callback?x=1',
  'https://kiosk.example/callback#',
  'https://kiosk.example/callback#x',
  'https://kiosk.example/callbackx',
  'https://kiosk.example/callbac',
  'https://kiosk.example/',
  'https://kiosk.example',
  'https://user@kiosk.example/callback',
  'https://kiosk.example@evil.example/callback',
  'https://kiosk.example:x@evil.example/callback',
  'https://kiosk.example.evil.example/callback',
  'https://evil.example/https://kiosk.example/callback',
  'https://evil.example?https://kiosk.example/callback',
  'https://www.kiosk.example/callback',
  'https://кiosk.example/callback',
  'https://xn--iosk-wdd.example/callback',
  'https:\\\\kiosk.example\\callback',
  'https:/kiosk.example/callback',
  '//kiosk.example/callback',
  '/callback',
  ' https://kiosk.example/callback',
  'https://kiosk.example/callback ',
  'https://kiosk.example/call\tback',
  'https://kiosk.example/callback\r\nX: y',
  'https://kiosk.example/callback https://evil.example/',
  'https://*.example/callback',
  'https://blog.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '',
]

describe('the client and redirect URI of an authorization request', () => {
  it.each(NEAR_MISSES)('[A1][A3] lead to no redirect to %j', async (redirect_uri) => {
    const browser = await signedIn()

    const response = await browser.get(
      await new RelyingApp('kiosk').authorizationUrl({ redirect_uri }),
    )

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await response.text()).toContain('redirect_uri')
  })

  it.each([
    ['http://127.0.0.1:5123/callback', true],
    ['http://127.0.0.1:65535/callback', true],
    ['http://127.0.0.1/callback', true],
    ['http://localhost/callback', true],
    ['http://localhost:5123/callback', false],
    ['http://[::1]:5123/callback', false],
    ['http://127.0.0.2:5123/callback', false],
    ['http://127.1:5123/callback', false],
    ['http://0x7f.0.0.1:5123/callback', false],
    ['https://127.0.0.1:5123/callback', false],
    ['http://127.0.0.1:5123/other', false],
    ['http://127.0.0.1:5123/callback/', false],
    ['http://127.0.0.1:5123/callback?x=1', false],
    ['http://127.0.0.1:5123', false],
    ['http://127.0.0.1:/callback', false],
    ['http://127.0.0.1:65536/callback', false],
    ['http://127.0.0.1:99999/callback', false],
    ['http://127.0.0.1:5123:5124/callback', false],
    ['http://127.0.0.1:+80/callback', false],
    ['http://127.0.0.1:x@evil.example/callback', false],
    ['http://127.0.0.1@evil.example/callback', false],
    ['http://127.0.0.1.evil.example:5123/callback', false],
  ])(
    '[A2] a native app is answered at any loopback port, and nowhere else: %s',
    async (redirect_uri, isGood) => {
      const app = new RelyingApp('native')

      const response = await new Browser().get(
        await app.authorizationUrl({ redirect_uri, prompt: 'none' }),
      )

      const location = response.headers.get('Location')
      if (isGood) expect(location).toContain(`${redirect_uri}?error=login_required`)
      else expect([response.status, location]).toEqual([400, null])
    },
  )

  it('[A2] of other clients the port counts, on loopback too', async () => {
    const CLIENTS = [{ client_id: 'local', redirect_uris: ['http://127.0.0.1/callback'] }]
    const browser = new Browser(serviceWith({ CLIENTS }))
    const query = new URLSearchParams({
      client_id: 'local',
      redirect_uri: 'http://127.0.0.1:5123/callback',
    })

    const response = await browser.get(`/oidc/authorize?${query}`)

    expect([response.status, response.headers.get('Location')]).toEqual([400, null])
  })

  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['the redirect URI of another client', { redirect_uri: 'https://blog.example/' }],
  ])('[A3][A16] %s gets a page, silently or not', async (_, changes) => {
    const browser = await signedIn()
    const more = [{}, { prompt: 'none' }, { response_mode: 'form_post' }, { request: 'x' }]

    for (const one of more) {
      const url = await new RelyingApp('kiosk').authorizationUrl({ ...one, ...changes })
      const response = await browser.get(url)

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
      expect(await response.text()).not.toContain('id="continue"')
    }
  })
})

describe('client authentication', () => {
  const refused = { grant_type: 'refresh_token', refresh_token: 'rt_unknown' }

  it.each([
    ['web', 'basic', 'invalid_grant'],
    ['web', 'post', 'invalid_client'],
    ['web', 'none', 'invalid_client'],
    ['web', 'basic and post', 'invalid_request'],
    ['post', 'basic', 'invalid_client'],
    ['post', 'post', 'invalid_grant'],
    ['post', 'none', 'invalid_client'],
    ['post', 'basic and post', 'invalid_request'],
    ['kiosk', 'basic', 'invalid_client'],
    ['kiosk', 'post', 'invalid_client'],
    ['kiosk', 'none', 'invalid_grant'],
    ['kiosk', 'basic and post', 'invalid_request'],
  ])('[C10][C13] of %s by %s: %s', async (clientId, method, error) => {
    const secret = SECRETS[clientId] ?? 'a guess'
    const form = {
      ...refused,
      client_id: clientId,
      ...(method.includes('post') && { client_secret: secret }),
    }

    const response = await post(
      '/oidc/token',
      form,
      method.includes('basic') ? basic(clientId, secret) : {},
    )

    expect(response.status).toBe(error === 'invalid_client' ? 401 : 400)
    expect(await response.json()).toMatchObject({ error })
  })

  it('[C13] is asked of a confidential client that refreshes, too', async () => {
    const tokens = await new RelyingApp().tokens(await signedIn(), {
      scope: 'openid offline_access',
    })
    const form = {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
      client_id: 'web',
    }

    expect((await post('/oidc/token', form)).status).toBe(401)
    expect((await post('/oidc/token', form, basic('web', WEB))).status).toBe(200)
  })

  it.each([
    ['encodeURIComponent', `web:${encodeURIComponent(WEB)}`],
    ['a form', `web:${new URLSearchParams({ '': WEB }).toString().slice(1)}`],
    [
      'every letter in hex',
      [...`web`, ':', ...WEB].map((one) => (one === ':' ? one : hex(one))).join(''),
    ],
  ])('[C11] decodes Basic credentials as %s writes them', async (_, credentials) => {
    // The colon of the secret itself may stand as it is: only the first one divides.
    const response = await post('/oidc/token', refused, {
      Authorization: `bAsIc ${btoa(credentials)}`,
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it.each([
    ['its second secret', 'its next one', 400],
    ['its secret without decoding', WEB.replaceAll(' ', '+'), 401],
    ['a secret that differs in case', WEB.toUpperCase(), 401],
    [
      'the digest of its secret',
      '226f8efd0b536b15f6f2ea8d7d824df7b12554937648decec3314737de8ed41c',
      401,
    ],
    ['an empty secret', '', 401],
  ])('[C20] of a client with two secrets, by %s', async (_, secret, status) => {
    expect((await post('/oidc/token', refused, basic('web', secret))).status).toBe(status)
  })

  it.each([
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic d2Vi',
    `Basic ${btoa('web:%')}`,
    `Basic ${btoa('%ff:x')}`,
    `Basic ${btoa('web:\xff')}`,
    `Basic ${btoa(':')}`,
    `Bearer ${btoa(`web:${WEB}`)}`,
    `Digest ${btoa(`web:${WEB}`)}`,
    '',
  ])('[C11][C12] by %j is a 401 with a challenge', async (Authorization) => {
    const response = await post('/oidc/token', refused, { Authorization })

    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic realm=/)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('[C11] by any bytes at all is a 401', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        const Authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`
        expect((await post('/oidc/token', refused, { Authorization })).status).toBe(401)
      }),
      { numRuns: 300 },
    )
  })

  it('[C12] says the same to an unknown client and to a wrong secret', async () => {
    const answers = await Promise.all(
      [
        post('/oidc/token', refused, basic('web', 'wrong')),
        post('/oidc/token', refused, basic('nobody', 'wrong')),
        post('/oidc/token', { ...refused, client_id: 'post', client_secret: 'wrong' }),
        post('/oidc/token', { ...refused, client_id: 'nobody', client_secret: 'wrong' }),
        post('/oidc/token', { ...refused, client_id: 'nobody' }),
      ].map(async (answer) => [(await answer).status, await (await answer).text()].join()),
    )

    expect(new Set(answers).size).toBe(1)
  })

  it('by Basic, with another client_id in the body, is a 401 (RFC 6749 §2.3)', async () => {
    const form = { ...refused, client_id: 'post' }

    expect((await post('/oidc/token', form, basic('web', WEB))).status).toBe(401)
  })
})

describe('a client that is removed', () => {
  it('[C23] redeems, refreshes and reads nothing from that moment', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const code = (await app.callback(browser)).searchParams.get('code') ?? ''
    const tokens = await app.tokens(browser, { scope: 'openid offline_access' })
    const service = serviceWith({ CLIENTS: without('web') })
    const ask = (form: Record<string, string>) =>
      service(
        new Request(`${LOGIN}/oidc/token`, {
          method: 'POST',
          headers: basic('web', WEB),
          body: new URLSearchParams(form),
        }),
      )

    const redeemed = await ask({
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    })
    const refreshed = await ask({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    })
    const told = await new Browser(service).get('/oidc/userinfo', {
      Authorization: `Bearer ${tokens.access_token}`,
    })

    expect([redeemed.status, refreshed.status, told.status]).toEqual([401, 401, 401])
    // And is as it was when it comes back.
    expect((await app.refresh(tokens.refresh_token ?? '')).access_token).toBeTruthy()
  })
})

function without(clientId: string): unknown[] {
  const clients = (env as unknown as { CLIENTS: { client_id: string }[] }).CLIENTS
  return clients.filter(({ client_id }) => client_id !== clientId)
}

function hex(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`
}
