import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, serviceWith, standIn } from '../browser.ts'
import { basic, post, RelyingApp, resumed, SECRETS, signedIn } from './relying-app.ts'

const DAY = 24 * 3600 * 1000
const offline = { scope: 'openid profile offline_access' }

/** Somebody new, who has agreed to nothing. */
async function stranger(options: { prompt?: string } = {}): Promise<Browser> {
  const handle = `x${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle })
  const browser = new Browser()
  await browser.signIn(handle, options)
  return browser
}

/** Somebody whose provider tells an address, and vouches for it unless it is told not to. */
async function withEmail(fault?: string): Promise<Browser> {
  const service = serviceWith({
    AUTH_OIDC_ID: 'our-client',
    AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
    AUTH_OIDC_ISSUER: 'https://hostile.example/plain',
  })
  const browser = new Browser(service)
  const start = await browser.get('/api/auth/signin/oidc')
  const { searchParams } = new URL(start.headers.get('Location') ?? '')
  const code = JSON.stringify({ nonce: searchParams.get('nonce'), fault })
  const state = searchParams.get('state') ?? ''
  await browser.get(`/api/auth/callback/oidc?${new URLSearchParams({ code, state })}`)
  return browser
}

async function errorOf(browser: Browser, url: string): Promise<string | null> {
  const response = await browser.get(url)
  return new URL(response.headers.get('Location') ?? 'https://none.example').searchParams.get(
    'error',
  )
}

afterEach(() => {
  vi.useRealTimers()
})

describe('an app that wants more than it was given', () => {
  it.each(['', 'nonsense'])(
    '[A27][A28] gets no code without consent, however little it asks: scope "%s"',
    async (scope) => {
      const url = await new RelyingApp('kiosk').authorizationUrl({ scope, prompt: 'none' })

      expect(await errorOf(await stranger(), url)).toBe('consent_required')
    },
  )

  it('[A28][A31] has people asked for what it asks claim by claim', async () => {
    const browser = await stranger()
    const claims = JSON.stringify({ userinfo: { name: null } })

    const page = await (
      await browser.get(await new RelyingApp('kiosk').authorizationUrl({ scope: 'openid', claims }))
    ).text()

    expect(page).toContain('see your name and picture')
  })

  it('[A31][H3] gets no claim of a scope it may not have', async () => {
    const browser = await withEmail()
    const claims = JSON.stringify({ userinfo: { email: null }, id_token: { email: null } })

    const [web, limited] = [new RelyingApp(), new RelyingApp('post')]

    expect((await web.tokens(browser, { scope: 'openid', claims })).claims()).toHaveProperty(
      'email',
      'pat@mail.example',
    )
    expect(
      (await limited.tokens(browser, { scope: 'openid', claims })).claims(),
    ).not.toHaveProperty('email')
  })

  it('[C23][A25] cannot name what its registration has lost, and loses nothing by trying', async () => {
    const { refresh_token = '' } = await new RelyingApp().tokens(await signedIn(), {
      ...offline,
      resource: 'https://stock.example',
    })
    const all = (env as unknown as { CLIENTS: Record<string, unknown>[] }).CLIENTS
    const CLIENTS = all.map((one) =>
      one['client_id'] === 'web' ? { ...one, scope: 'openid offline_access', resources: [] } : one,
    )
    const refresh = (more: Record<string, string>) =>
      serviceWith({ CLIENTS })(
        new Request('https://login.example/oidc/token', {
          method: 'POST',
          headers: basic('web', SECRETS['web'] ?? ''),
          body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...more }),
        }),
      )

    expect(await (await refresh({ resource: 'https://stock.example' })).json()).toMatchObject({
      error: 'invalid_target',
    })
    expect(await (await refresh({ scope: 'openid profile' })).json()).toMatchObject({
      error: 'invalid_scope',
    })
    expect(await (await refresh({})).json()).toMatchObject({ scope: 'openid offline_access' })
  })

  it('[D] a live refresh token survives codes nobody redeems', async () => {
    const [app, browser] = [new RelyingApp(), await stranger()]
    const { refresh_token = '' } = await app.tokens(browser, offline)
    for (let asked = 0; asked < 25; asked++)
      await new RelyingApp().callback(browser, { prompt: 'none' })

    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[Q10] an app that signs somebody in again and again gets tokens each time, and loses the oldest', async () => {
    const [app, browser] = [new RelyingApp(), await stranger()]
    const { refresh_token: oldest = '' } = await app.tokens(browser, offline)
    const { refresh_token: second = '' } = await app.tokens(browser, offline)
    for (let again = 2; again < 21; again++) await app.tokens(browser, offline)

    await expect(app.refresh(oldest)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await app.refresh(second)).access_token).toBeTruthy()
  })

  it('[Q10] tokens of minutes take no room from tokens of months', async () => {
    const [app, browser] = [new RelyingApp(), await stranger()]
    const { refresh_token = '' } = await app.tokens(browser, offline)
    for (let again = 0; again < 25; again++) {
      const tokens = await app.tokens(browser)
      expect(await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).toBeTruthy()
    }

    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[Q6] a keyring out of reach spends no code', async () => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn())
    const KEYRING = {
      idFromName: () => 'x',
      get: () => ({ read: () => Promise.reject(new Error('down')) }),
    }
    const response = await serviceWith({ KEYRING })(
      new Request('https://login.example/oidc/token', {
        method: 'POST',
        headers: basic('web', SECRETS['web'] ?? ''),
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: callback.searchParams.get('code') ?? '',
          redirect_uri: app.redirectUri,
          code_verifier: app.verifier,
        }),
      }),
    )

    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    expect((await app.exchange(callback)).access_token).toBeTruthy()
  })

  it('[Q10] keeps twenty grants of one session, and no more', async () => {
    const browser = await stranger()
    const app = new RelyingApp()
    for (let asked = 0; asked < 25; asked++) await app.callback(browser)
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))

    const count = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM grants').one(),
    )
    expect(count.n).toBe(20)
  })
})

describe('a sign-in that proves nothing', () => {
  it('[A17] does not answer prompt=login: the platform must have been told to ask', async () => {
    const browser = await stranger()
    const app = new RelyingApp()
    const sent = await browser.get(await app.authorizationUrl({ prompt: 'login' }))

    const again = await browser.get(await resumed(sent))

    expect(again.headers.get('Location')).toContain('/api/auth/signin')
  })

  it('[S6] links nothing', async () => {
    const browser = await stranger()

    expect((await browser.post('/account/disconnect', { account: 'x' })).status).toBe(401)
  })

  it('[S6] cannot be led to a link by a page of ours', async () => {
    const browser = await stranger({ prompt: 'login' })
    const response = await browser.get('/api/auth/signin/tiktok?link=true', {
      'Sec-Fetch-Site': 'same-origin',
    })

    expect(response.status).toBe(403)
  })
})

describe('what remains', () => {
  it('[D11][J7] of a grant ends with a logout, even if its session has gone before', async () => {
    const browser = await stranger()
    const app = new RelyingApp()
    const { refresh_token = '', id_token = '' } = await app.tokens(browser, offline)
    vi.useFakeTimers({ now: Date.now() + 8 * DAY, toFake: ['Date'] })

    await browser.get(`/oidc/logout?${new URLSearchParams({ id_token_hint: id_token })}`)

    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[D4] of a family is nothing once an old token was shown, whatever else was asked', async () => {
    const app = new RelyingApp()
    const { refresh_token: first = '' } = await app.tokens(await stranger(), offline)
    const { refresh_token: second = '' } = await app.refresh(first)
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })

    await expect(app.refresh(first, { scope: 'x' })).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(app.refresh(second)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[S2][S3] of an address nobody vouches for is nothing', async () => {
    expect((await (await withEmail()).session())?.user.email).toBe('pat@mail.example')
    expect((await (await withEmail('email-unverified')).session())?.user.email).toBeUndefined()
  })

  it('[A26] of a consent page ends after ten minutes', async () => {
    const browser = await stranger()
    const page = await (await browser.get(await new RelyingApp('kiosk').authorizationUrl())).text()
    const request = page.match(/name="request" value="([^"]+)"/)?.[1] ?? ''
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })

    expect((await browser.post('/oidc/consent', { request, answer: 'approve' })).status).toBe(400)
  })
})

describe('a client that insists on a person', () => {
  it('[A19] gets no code for somebody else', async () => {
    const browser = await signedIn()
    const own = (await browser.session())?.user.id
    const asking = (value?: string) =>
      new RelyingApp().authorizationUrl({
        prompt: 'none',
        claims: JSON.stringify({ id_token: { sub: { value } } }),
      })

    expect(await errorOf(browser, await asking('usr_other'))).toBe('login_required')
    expect(await errorOf(browser, await asking(own))).toBeNull()
  })

  it('[A8] is told by the redirect what is wrong with a post, not the person in JSON', async () => {
    const app = new RelyingApp()
    const url = new URL(await app.authorizationUrl())
    const body = `${url.searchParams}&nonce=again`
    const browser = await signedIn()
    const posted = await exports.default.fetch(
      new Request('https://login.example/oidc/authorize', {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
    )

    expect(posted.status).toBe(303)
    expect(await errorOf(browser, posted.headers.get('Location') ?? '')).toBe('invalid_request')
  })
})

describe('a trick', () => {
  it('[A2] with a port that is none is refused on a page', async () => {
    const url = await new RelyingApp('native').authorizationUrl({
      redirect_uri: 'http://127.0.0.1:99999/callback',
    })

    expect((await (await signedIn()).get(url)).status).toBe(400)
  })

  it.each(['garbage', 'a.b.c'])(
    '[A19] with id_token_hint %s is told to the client',
    async (id_token_hint) => {
      const url = await new RelyingApp().authorizationUrl({ id_token_hint, prompt: 'none' })

      expect(await errorOf(await signedIn(), url)).toBe('invalid_request')
    },
  )

  it('[E3] with signed userinfo as a hint is refused', async () => {
    const browser = await signedIn()
    const { access_token } = await new RelyingApp('post').tokens(browser)
    const response = await post('/oidc/userinfo', { access_token })
    const url = await new RelyingApp('post').authorizationUrl({
      id_token_hint: await response.text(),
    })

    expect(response.headers.get('Content-Type')).toBe('application/jwt')
    expect(await errorOf(browser, url)).toBe('invalid_request')
  })

  it.each([{ method: 'HEAD' }, { headers: { 'Sec-Purpose': 'prefetch' } }])(
    '[K15] with a preview logs nobody out: %o',
    async (visit) => {
      const browser = await signedIn()
      const { id_token = '' } = await new RelyingApp().tokens(browser)

      await browser.fetch(`/oidc/logout?${new URLSearchParams({ id_token_hint: id_token })}`, visit)

      expect(await browser.session()).not.toBeNull()
    },
  )

  it.each(['/account/unlink', '/oidc/consent', '/oidc/logout/confirm'])(
    '[A29][M6] from a registered app’s page does not pass for ours: %s',
    async (path) => {
      const browser = await signedIn()

      const response = await browser.fetch(path, {
        form: { account: 'x', request: 'x', answer: 'approve' },
        headers: { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'same-site' },
      })

      expect(response.status).toBe(403)
      expect(await browser.session()).not.toBeNull()
    },
  )

  it('[M4] from an app that is not the operator’s own reads no session', async () => {
    const browser = await signedIn()

    expect(
      (await browser.get('/api/auth/session', { Origin: 'https://kiosk.example' })).status,
    ).toBe(403)
  })
})
