import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Browser, lastLogEntry, serviceWith } from '../../browser.ts'
import { clientsWith, clientsWithout } from '../../registered-clients.ts'
import {
  basic,
  formRequest,
  getUserinfo,
  postForm,
  RelyingApp,
  SECRETS,
  signedIn,
} from './relying-app.ts'

const WEB_SECRET = SECRETS['web'] ?? ''

/** Addresses similar to the registered `https://kiosk.example/callback`. */
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
]

describe('a redirect URI that is not registered', () => {
  const LOCAL = 'http://localhost:8787'
  const request = (redirectUris: string[]) =>
    `/oidc/authorize?${new URLSearchParams([['client_id', 'kiosk'], ...redirectUris.map((uri) => ['redirect_uri', uri])])}`
  const REGISTERED = 'kiosk has registered: https://kiosk.example/callback.'
  const SENT: [string[], string][] = [
    [['https://kiosk.example/other'], 'https://kiosk.example/other'],
    [['https://Kiosk.example/callback'], 'https://Kiosk.example/callback'],
    [['https://kiosk.example/callback?token=hidden'], 'https://kiosk.example/callback?…'],
    [['https://kiosk.example/callback#hidden'], 'https://kiosk.example/callback#…'],
    [['https://user:hidden@kiosk.example/callback'], 'https://…@kiosk.example/callback'],
    [['https://kiosk.example/call\nback'], 'https://kiosk.example/call�back'],
    [[`https://kiosk.example/${'x'.repeat(1000)}`], `https://kiosk.example/${'x'.repeat(178)}`],
    [['/callback?hidden'], 'no URL'],
    [['https://kiosk.example/callback', 'https://x.example/hidden'], 'sent more than once'],
  ]

  it.each(SENT)('is in the log without secrets, and on no page: %j', async (uris, sent) => {
    const response = await new Browser().get(request(uris))

    const page = await response.text()
    expect(page).toContain('redirect_uri_refused')
    expect(page).not.toContain('https://kiosk.example')
    expect(lastLogEntry('redirect_uri_refused')).toMatchObject({
      hint: `redirect_uri is ${sent}. ${REGISTERED}`,
    })
    expect(JSON.stringify(lastLogEntry('redirect_uri_refused'))).not.toContain('hidden')
  })

  it('is on the page of a service on loopback, with those that are registered', async () => {
    const browser = new Browser(serviceWith({ AUTH_URL: LOCAL }), LOCAL)
    const path = request(['https://kiosk.example/other'])

    const hint = `redirect_uri is https://kiosk.example/other. ${REGISTERED}`
    expect(await (await browser.get(path)).text()).toContain(hint)
    expect(await browser.json(path)).toMatchObject({ problems: [hint] })
  })
})

describe('what an app sends wrongly', () => {
  const LOCAL = 'http://localhost:8787'
  const BYE = 'https://web.example/bye'
  const authorize = (parameters: Record<string, string>) =>
    `/oidc/authorize?${new URLSearchParams(parameters)}`
  const logout = (parameters: Record<string, string>) =>
    `/oidc/logout?${new URLSearchParams(parameters)}`
  const MISTAKES: [string, string, RegExp][] = [
    [
      'client_unknown',
      authorize({ client_id: 'webb' }),
      /^client_id is webb\.(?: Registered: (?:[\w-]+, ){4}[\w-]+ and \d+ more\.)?$/,
    ],
    ['client_unknown', authorize({ client_id: '<b>\n' }), /^client_id is <b>�\./],
    ['client_unknown', authorize({}), /^client_id is missing\./],
    ['client_unknown', `${authorize({ client_id: 'web' })}&client_id=x`, /sent more than once\./],
    [
      'return_url_refused',
      '/api/auth/signin?callbackUrl=https://nobody.example/page?token=hidden',
      /^callbackUrl is https:\/\/nobody\.example\/page\?…\.(?: Redirect URIs are registered at: https:|$)/,
    ],
    [
      'return_url_refused',
      '/api/auth/signin?callbackUrl=/api/auth/signout',
      /\/api\/auth\/signout\. Of this service, only pages for users are allowed\.$/,
    ],
    ['return_url_refused', '/api/auth/signin?callbackUrl=javascript:hidden', /is not a URL that/],
    [
      'post_logout_redirect_uri_refused',
      logout({ client_id: 'web', post_logout_redirect_uri: `${BYE}/?hidden` }),
      /^post_logout_redirect_uri is https:\/\/web\.example\/bye\/\?…\. web has registered: https:\/\/web\.example\/bye/,
    ],
    [
      'post_logout_redirect_uri_refused',
      logout({ client_id: 'webb', post_logout_redirect_uri: BYE }),
      /No client has the id webb\.$/,
    ],
    [
      'id_token_hint_refused',
      logout({ id_token_hint: 'hidden', post_logout_redirect_uri: BYE }),
      /^It is no ID token of this service\.$/,
    ],
  ]

  it.each(MISTAKES)(
    'is in the log, and on loopback on the page: %s %s',
    async (code, path, hint) => {
      const local = new Browser(serviceWith({ AUTH_URL: LOCAL }), LOCAL)

      const page = await (await new Browser().get(path)).text()
      const { hint: logged } = lastLogEntry(`"code":"${code}"`)
      const response = await local.json(path)

      expect(logged).toMatch(hint)
      expect(JSON.stringify(lastLogEntry(`"code":"${code}"`))).not.toContain('hidden')
      expect(page).toContain(code)
      expect(page).not.toContain(logged)
      expect(response).toMatchObject({ error: code, problems: [expect.stringMatching(hint)] })
      // Production does not read the registrations for this.
      expect(logged).not.toContain('Registered')
      if (path.includes('nobody'))
        expect(JSON.stringify(response)).toContain('registered at: https')
      if (path.includes('=webb')) expect(JSON.stringify(response)).toMatch(/Registered|No client/)
    },
  )

  it('is in the log of a service on loopback, if it is a scope', async () => {
    const redirect_uri = 'https://kiosk.example/callback'
    const path = authorize({ client_id: 'kiosk', redirect_uri, scope: 'openid profil' })

    await new Browser(serviceWith({ AUTH_URL: LOCAL }), LOCAL).get(
      `${path}&response_type=code&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`,
    )

    expect(lastLogEntry('/oidc/authorize').hint).toMatch(
      /^Scopes that are not granted: profil\. kiosk is registered for: openid /,
    )
  })

  it('is named if it is the secret', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }

    const response = await postForm('/oidc/token', form, basic('web', 'wrong'))

    expect(await response.json()).toMatchObject({
      error: 'invalid_client',
      error_description: expect.stringMatching(/\(clientSecret\) with client_secrets_sha256/),
    })
  })
})

describe('the client and redirect URI of an authorization request', () => {
  it.each(NEAR_MISSES)(
    '[A1][A3] does not redirect to the unregistered %j',
    async (redirect_uri) => {
      const browser = await signedIn()
      const url = await new RelyingApp('kiosk').authorizationUrl({ redirect_uri })

      const response = await browser.get(url)

      expect(response.status).toBe(400)
      expect(response.headers.get('Location')).toBeNull()
      expect(await response.text()).toContain('redirect_uri_refused')
    },
  )

  it.each([
    ['http://127.0.0.1:5123/callback', true],
    ['http://127.0.0.1:65535/callback', true],
    ['http://127.0.0.1/callback', true],
    ['http://localhost/callback', true],
    ['http://localhost:5123/callback', true],
    ['http://localhost.:5123/callback', false],
    ['http://localhost.evil.example:5123/callback', false],
    ['http://app.localhost:5123/callback', false],
    ['http://LOCALHOST:5123/callback', false],
    ['http://localhost:5123@evil.example/callback', false],
    ['https://localhost:5123/callback', false],
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
    '[A2] a native app may use any port of its loopback address, and no other address: %s',
    async (redirect_uri, isAllowed) => {
      const app = new RelyingApp('native')

      const response = await new Browser().get(
        await app.authorizationUrl({ redirect_uri, prompt: 'none' }),
      )

      const location = response.headers.get('Location')
      if (isAllowed) expect(location).toContain(`${redirect_uri}?error=login_required`)
      else expect([response.status, location]).toEqual([400, null])
    },
  )

  it.each([
    ['http://127.0.0.1:5123', 'http://127.0.0.1/', true],
    ['http://127.0.0.1:5123', 'http://127.0.0.1:8080/', true],
    ['http://127.0.0.1:5123/', 'http://127.0.0.1', true],
    ['http://localhost:5123', 'http://localhost/', true],
    ['http://[::1]:5123', 'http://[::1]/', true],
    ['http://127.0.0.1:5123?x=1', 'http://127.0.0.1/', false],
    ['http://127.0.0.1:5123//', 'http://127.0.0.1/', false],
    ['http://127.0.0.1:5123@evil.example', 'http://127.0.0.1/', false],
    ['http://127.0.0.1.evil.example', 'http://127.0.0.1/', false],
    ['http://127.0.0.15123', 'http://127.0.0.1/', false],
    ['https://127.0.0.1', 'https://127.0.0.1/', false],
    ['https://app.example', 'https://app.example/', false],
  ])(
    '[A2] a missing path is the same as / on the loopback address of a native app, and nowhere else: %s, registered %s',
    async (redirect_uri, registered, isAllowed) => {
      const CLIENTS = [
        { client_id: 'program', application_type: 'native', redirect_uris: [registered] },
      ]
      const browser = new Browser(serviceWith({ CLIENTS }))
      const query = new URLSearchParams({ client_id: 'program', redirect_uri, prompt: 'none' })

      const response = await browser.get(`/oidc/authorize?${query}`)

      const location = response.headers.get('Location')
      if (isAllowed) expect(location).toMatch(/^http:\/\/[^/]+:5123\/\?error=/)
      else expect([response.status, location]).toEqual([400, null])
    },
  )

  it('[A2] other clients may not change the port, not even on a loopback address', async () => {
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
  ])('[A3][A16] %s ends on a page, also with prompt=none', async (_, changes) => {
    const browser = await signedIn()
    const variants = [{}, { prompt: 'none' }, { response_mode: 'form_post' }, { request: 'x' }]

    for (const variant of variants) {
      const url = await new RelyingApp('kiosk').authorizationUrl({ ...variant, ...changes })
      const response = await browser.get(url)

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
      expect(await response.text()).not.toContain('id="continue"')
    }
  })
})

describe('client authentication', () => {
  /** Rejected with `invalid_grant` once the client is authenticated. */
  const request = { grant_type: 'refresh_token', refresh_token: 'rt_unknown' }

  it.each([
    // Registered with a secret, but without a method.
    ['web', 'basic', 'invalid_grant'],
    ['web', 'post', 'invalid_grant'],
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
  ])('[C10][C13] of the client %s by %s returns %s', async (clientId, method, error) => {
    const secret = SECRETS[clientId] ?? 'a guess'
    const form = {
      ...request,
      client_id: clientId,
      ...(method.includes('post') && { client_secret: secret }),
    }
    const headers = method.includes('basic') ? basic(clientId, secret) : {}

    const response = await postForm('/oidc/token', form, headers)

    expect(response.status).toBe(error === 'invalid_client' ? 401 : 400)
    expect(await response.json()).toMatchObject({ error })
  })

  it.each([
    ['client_secret_basic', [400, 401]],
    ['client_secret_post', [401, 400]],
  ])('[C10] of a client registered for %s uses no other method', async (method, statuses) => {
    const CLIENTS = clientsWith({ web: { token_endpoint_auth_method: method } })
    const service = serviceWith({ CLIENTS })
    const credentials = { client_id: 'web', client_secret: WEB_SECRET }

    const basicResponse = await service(formRequest('/oidc/token', request, basic('web')))
    const postResponse = await service(formRequest('/oidc/token', { ...request, ...credentials }))

    expect([basicResponse.status, postResponse.status]).toEqual(statuses)
  })

  it('[C13] is required of a confidential client that refreshes', async () => {
    const tokens = await new RelyingApp().tokens(await signedIn(), {
      scope: 'openid offline_access',
    })
    const form = {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
      client_id: 'web',
    }

    expect((await postForm('/oidc/token', form)).status).toBe(401)
    expect((await postForm('/oidc/token', form, basic('web'))).status).toBe(200)
  })

  it.each([
    ['with encodeURIComponent', `web:${encodeURIComponent(WEB_SECRET)}`],
    ['as a form', `web:${new URLSearchParams({ '': WEB_SECRET }).toString().slice(1)}`],
    // A colon in the secret may stay unencoded: only the first one separates id and secret.
    [
      'with every other character in hex',
      [...`web:${WEB_SECRET}`]
        .map((character) => (character === ':' ? character : percentEncode(character)))
        .join(''),
    ],
  ])('[C11] decodes Basic credentials encoded %s', async (_, credentials) => {
    const response = await postForm('/oidc/token', request, {
      Authorization: `bAsIc ${btoa(credentials)}`,
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it.each([
    ['its second secret', 400, 'its next one'],
    ['its secret without decoding', 401, WEB_SECRET.replaceAll(' ', '+')],
    ['a secret that differs in case', 401, WEB_SECRET.toUpperCase()],
    [
      'the digest of its secret',
      401,
      '226f8efd0b536b15f6f2ea8d7d824df7b12554937648decec3314737de8ed41c',
    ],
    ['an empty secret', 401, ''],
  ])('[C20] of a client with two secrets by %s returns %i', async (_, status, secret) => {
    const response = await postForm('/oidc/token', request, basic('web', secret))

    expect(response.status).toBe(status)
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
    `Bearer ${btoa(`web:${WEB_SECRET}`)}`,
    `Digest ${btoa(`web:${WEB_SECRET}`)}`,
    '',
  ])('[C11][C12] by %j returns 401 with a challenge', async (Authorization) => {
    const response = await postForm('/oidc/token', request, { Authorization })

    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic realm=/)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  it.each([
    ['web', 'basic'],
    ['web', 'post'],
    ['kiosk', 'basic'],
    ['kiosk', 'post'],
    ['unknown', 'post'],
  ])('[C13] of the client %s by %s with an empty secret says so', async (clientId, method) => {
    // A parameter without a value is as if it was omitted (RFC 6749 §3.2).
    for (const secret of method === 'basic' ? ['', '\n', ' '] : ['\n', ' ']) {
      const form = {
        ...request,
        client_id: clientId,
        ...(method === 'post' && { client_secret: secret }),
      }
      const headers = method === 'basic' ? basic(clientId, secret) : {}

      const response = await postForm('/oidc/token', form, headers)

      expect([response.status, await response.json()]).toEqual([
        401,
        expect.objectContaining({ error_description: 'The client secret is empty.' }),
      ])
    }
  })

  it('[C11] by arbitrary bytes returns 401', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        const Authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`
        expect((await postForm('/oidc/token', request, { Authorization })).status).toBe(401)
      }),
      { numRuns: 300 },
    )
  })

  it('[C12] returns the same response for an unknown client and a wrong secret', async () => {
    const requests = [
      postForm('/oidc/token', request, basic('web', 'wrong')),
      postForm('/oidc/token', request, basic('nobody', 'wrong')),
      postForm('/oidc/token', { ...request, client_id: 'post', client_secret: 'wrong' }),
      postForm('/oidc/token', { ...request, client_id: 'nobody', client_secret: 'wrong' }),
      postForm('/oidc/token', { ...request, client_id: 'nobody' }),
    ]

    const responses = (await Promise.all(requests)).map(async (response) =>
      [response.status, await response.text()].join(),
    )

    expect(new Set(await Promise.all(responses)).size).toBe(1)
  })

  it('by Basic with another client_id in the body returns 401 (RFC 6749 §2.3)', async () => {
    const form = { ...request, client_id: 'post' }

    const response = await postForm('/oidc/token', form, basic('web'))

    expect(response.status).toBe(401)
  })
})

describe('a removed client', () => {
  it('[C23] can no longer redeem, refresh or read userinfo, until it is registered again', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const callback = await app.callbackFor(browser)
    const { access_token, refresh_token = '' } = await app.tokens(browser, {
      scope: 'openid offline_access',
    })
    const service = serviceWith({ CLIENTS: clientsWithout('web') })
    const requestTokens = (form: Record<string, string>) =>
      service(formRequest('/oidc/token', form, basic('web')))

    const redeemed = await requestTokens(app.codeExchangeForm(callback))
    const refreshed = await requestTokens({ grant_type: 'refresh_token', refresh_token })
    const userinfo = await getUserinfo(access_token, new Browser(service))

    expect([redeemed.status, refreshed.status, userinfo.status]).toEqual([401, 401, 401])
    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })
})

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
