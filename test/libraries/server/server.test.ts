import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { revokeTokens } from '../../../src/administration/registrations/revoke-tokens.ts'
import type { Callbacks } from '../../../src/core/config/callbacks.ts'
import { options } from '../../../src/deployment.ts'
import {
  createServer,
  type Server,
  type ServerOptions,
  UnavailableError,
} from '../../../src/server.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf } from '../../browser.ts'
import { advanceClock, DAY, MINUTE, stopClock } from '../../clock.ts'
import { logoutDeliveries } from '../../core/oidc/logout-token-receiver.ts'
import { config } from '../../core/registrations/stored-clients.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { userObject } from '../../storage.ts'
import {
  APP,
  AppBrowser,
  fetchLogin,
  newAppUser,
  newInstance,
  restartService,
  service,
  settings,
} from './app-browser.ts'

const SESSION = '__Host-vestibule-web'
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' }
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const OPTIONS: ServerOptions = {
  url: LOGIN,
  clientId: 'web',
  clientSecret: 'secret',
  secret: 'x'.repeat(32),
  origin: APP,
}

beforeEach(restartService)

/** A login service that does not respond. */
const unreachable = () => Promise.reject(new TypeError('Network connection lost.'))

/** A login service whose users decline offline access. */
const withoutRefreshToken: typeof fetchLogin = async (url, init) => {
  const response = await fetchLogin(url, init)
  if (!url.endsWith('/oidc/token')) return response
  const { refresh_token: _, ...tokens } = await response.json<Record<string, unknown>>()
  return Response.json(tokens)
}

/** A browser with a copy of the cookies. */
function copyOf({ cookies }: AppBrowser): AppBrowser {
  const copy = new AppBrowser()
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

async function signOutAtLogin(browser: Awaited<ReturnType<typeof newAppUser>>['browser']) {
  await browser.post('/api/auth/signout', {}, { Origin: LOGIN })
}

describe('a sign-in at the app', () => {
  it('[K1][B1][K7] uses PKCE, state and nonce, and returns to the page that it was started at', async () => {
    const { login } = newInstance()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const started = await app.visit(login, '/auth/signin?returnTo=/orders?page=2%23top')
    const { origin, pathname, searchParams } = redirectUrl(started, 303)

    expect(origin + pathname).toBe(`${LOGIN}/oidc/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'web',
      redirect_uri: `${APP}/auth/callback`,
      scope: 'openid offline_access profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      resource: 'https://orders.example',
    })
    const response = await app.signIn(login, browser, '/auth/signin?returnTo=/orders?page=2%23top')
    expect(redirectUrl(response, 303).href).toBe(`${APP}/orders?page=2#top`)
    const session = await login.getSession(app.request('/'))
    expect(session?.user).toMatchObject({ id: userId, name: expect.any(String) })
    expect(session?.claims).toMatchObject({
      sub: userId,
      sid: expect.any(String),
      acr: 'federated',
      auth_time: expect.any(Number),
    })
    expect(Object.keys(session?.claims ?? {})).not.toContain('nonce')
  })

  it('passes on the parameters of a sign-in, but none that the library sets [K23]', async () => {
    const { login } = newInstance()
    const query = 'provider=tiktok&prompt=login&max_age=60&client_id=evil&redirect_uri=x&scope=x'

    const response = await new AppBrowser().visit(login, `/auth/signin?${query}`)

    const { searchParams } = redirectUrl(response)
    expect(searchParams.get('provider')).toBe('tiktok')
    expect(searchParams.get('prompt')).toBe('login')
    expect(searchParams.get('max_age')).toBe('60')
    expect(searchParams.getAll('client_id')).toEqual(['web'])
    expect(searchParams.getAll('redirect_uri')).toEqual([`${APP}/auth/callback`])
    expect(searchParams.getAll('scope')).toEqual(['openid offline_access profile'])
  })

  it('requests the scope of the options besides openid and offline_access, each once', async () => {
    const { login } = newInstance({ scope: 'email  openid orders:read email' })

    const { searchParams } = redirectUrl(await new AppBrowser().visit(login, '/auth/signin'))

    expect(searchParams.get('scope')).toBe('openid offline_access email orders:read')
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'https:///evil.example',
    `${APP}@evil.example/`,
    `${APP}.evil.example/`,
    `https://user:password@web.example/`,
    'http://web.example/',
    'javascript:alert(1)',
    `blob:${APP}/@evil.example`,
    'https://[',
    '/auth/signin',
    '/auth/../auth/callback',
  ])('[N1][N2] returns to the first page instead of %s', async (returnTo) => {
    const { login } = newInstance()
    const { browser } = await signInNewUser(new Browser(service))

    const path = `/auth/signin?returnTo=${encodeURIComponent(returnTo)}`
    const response = await new AppBrowser().signIn(login, browser, path)

    expect(response.headers.get('Location')).toBe(`${APP}/`)
  })

  it.each([
    ['/x/..//evil.example', '//evil.example'],
    ['https:evil.example', '/evil.example'],
    [`/orders?${'x'.repeat(500)}`, '/'],
  ])(
    '[N1] keeps what looks like another host, or is too long, on this host: %.30s',
    async (returnTo, path) => {
      const { login } = newInstance()
      const { browser } = await signInNewUser(new Browser(service))

      const start = `/auth/signin?returnTo=${returnTo}`
      const response = await new AppBrowser().signIn(login, browser, start)

      expect(response.headers.get('Location')).toBe(`${APP}${path}`)
    },
  )

  it('[K12] can be under way in several tabs', async () => {
    const { login } = newInstance()
    const { browser } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const tabs = ['/a', '/b', '/c']

    const callbacks: string[] = []
    for (const tab of tabs)
      callbacks.push(await app.callback(login, browser, `/auth/signin?returnTo=${tab}`))
    expect(app.cookies.size).toBe(3)
    const pages: (string | null)[] = []
    for (const callback of callbacks.reverse()) {
      pages.push((await app.visit(login, callback)).headers.get('Location'))
    }

    expect(pages).toEqual([`${APP}/c`, `${APP}/b`, `${APP}/a`])
    expect([...app.cookies.keys()]).toEqual([SESSION])
  })

  it.each([
    ['short', '/', 5],
    ['long', `/${'x'.repeat(500 - APP.length - 1)}`, 4],
  ])(
    '[K13] leaves five cookies and 4 KB at most, of the newest ones, if their pages have %s URLs',
    async (_, returnTo, count) => {
      const { login } = newInstance()
      const app = new AppBrowser()
      const states: string[] = []

      for (let round = 0; round < 20; round++) {
        const response = await app.visit(login, `/auth/signin?returnTo=${returnTo}`)
        states.push(redirectUrl(response).searchParams.get('state') ?? '')
        const cookies = app.request('/').headers.get('Cookie') ?? ''
        expect(cookies.length).toBeLessThanOrEqual(4096)
      }

      const newest = states.slice(-count).map((state) => `${SESSION}.${state}`)
      expect([...app.cookies.keys()]).toEqual(newest)
    },
  )

  it.each<[string, Record<string, string>]>([
    ['a script', { 'Sec-Fetch-Dest': 'empty' }],
    ['an image', { 'Sec-Fetch-Dest': 'image' }],
    ['a frame', { 'Sec-Fetch-Dest': 'iframe' }],
    ['a prefetch', { 'Sec-Fetch-Dest': 'document', 'Sec-Purpose': 'prefetch' }],
  ])('[K15] is neither started nor finished by %s', async (_, headers) => {
    const { login, requests } = newInstance()
    const { browser } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const callback = await app.callback(login, browser)

    for (const path of ['/auth/signin', callback]) {
      const response = await app.visit(login, path, { headers })
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('not in a script, frame or prefetch')
      expect(response.headers.getSetCookie()).toEqual([])
    }
    expect(requests).toEqual([])
  })

  it.each<[string, (callback: URL) => void]>([
    ['another state', (callback) => callback.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (callback) => callback.searchParams.delete('state')],
    ['two states', (callback) => callback.searchParams.append('state', 'x'.repeat(43))],
    ['another issuer', (callback) => callback.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (callback) => callback.searchParams.delete('iss')],
    ['two codes', (callback) => callback.searchParams.append('code', 'x')],
    ['an error besides the code', (callback) => callback.searchParams.set('error', '<script>')],
  ])(
    '[K1][K4][K5][K9] is not finished with %s, and the code is not redeemed',
    async (_, change) => {
      const { login, requests } = newInstance()
      const { browser } = await signInNewUser(new Browser(service))
      const app = new AppBrowser()
      const callback = new URL(await app.callback(login, browser))
      change(callback)

      const response = await app.visit(login, callback.href)

      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('<script>')
      expect(app.cookies.has(SESSION)).toBe(false)
      expect(requests).toEqual([])
    },
  )

  it('[K1][K10][L2] is not finished in another browser, which keeps its own session', async () => {
    const { login, app, userId } = await newAppUser()
    const { browser: attacker } = await signInNewUser(new Browser(service))
    const stranger = new AppBrowser()

    const callback = await stranger.callback(login, attacker)
    const withoutSession = await new AppBrowser().visit(login, callback)
    const withSession = await app.visit(login, callback)

    expect(withoutSession.status).toBe(400)
    expect(withoutSession.headers.getSetCookie()).toEqual([])
    expect(withSession.headers.getSetCookie()).toEqual([])
    expect((await login.getSession(app.request('/')))?.user.id).toBe(userId)
  })

  it('[K1] is not finished with the cookie of another attempt under its name', async () => {
    const { login } = newInstance()
    const { browser } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    await app.callback(login, browser)
    const [[, other = ''] = []] = [...app.cookies]
    const callback = await app.callback(login, browser)
    const state = new URL(callback).searchParams.get('state')
    app.cookies.set(`${SESSION}.${state}`, other)

    expect((await app.visit(login, callback)).status).toBe(400)
  })

  it('[K1] is not finished after an hour', async () => {
    const { login } = newInstance()
    const { browser } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const callback = await app.callback(login, browser)
    advanceClock(3600)

    expect((await app.visit(login, callback)).status).toBe(400)
  })

  it('[K7] is not finished with an ID token that has another nonce', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const first = newInstance()
    const app = new AppBrowser()
    const started = redirectUrl(await app.visit(first.login, '/auth/signin'))
    started.searchParams.set('nonce', 'of-another-attempt')
    const callback = redirectUrl(await browser.get(started.href), 303)

    const response = await app.visit(first.login, callback.href)

    expect(response.status).toBe(500)
    expect(app.cookies.size).toBe(0)
  })

  it('[K6] shows the error of a user who has cancelled, with a link to try again', async () => {
    const { login } = newInstance()
    const app = new AppBrowser()
    const started = redirectUrl(await app.visit(login, '/auth/signin?returnTo=/orders'))
    const query = new URLSearchParams({
      error: 'access_denied',
      state: started.searchParams.get('state') ?? '',
      iss: LOGIN,
    })

    const response = await app.visit(login, `/auth/callback?${query}`)

    expect(response.status).toBe(400)
    const page = await response.text()
    expect(page).toContain('You are not signed in (access_denied).')
    expect(page).toContain(`/auth/signin?returnTo=${encodeURIComponent(`${APP}/orders`)}`)
    expect(app.cookies.size).toBe(0)
  })

  it('shows the error on a page of the app', async () => {
    const { login } = newInstance({ errorPath: '/sign-in-failed' })

    const response = await new AppBrowser().visit(login, '/auth/callback?error=access_denied')

    expect(response.headers.get('Location')).toBe(`${APP}/sign-in-failed?error=attempt_missing`)
  })

  it('[K14] that the browser finishes twice at the same time opens one session', async () => {
    const { login, requests } = newInstance()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const callback = await app.callback(login, browser)

    const request = () => login.handler(app.request(callback))
    const [one, two] = await Promise.all([request(), request()])

    expect(requests.filter((path) => path === '/oidc/token')).toHaveLength(1)
    for (const response of [one, two]) {
      app.store(response.headers)
      expect(response.headers.get('Location')).toBe(`${APP}/`)
      expect((await login.getSession(app.request('/')))?.user.id).toBe(userId)
    }
    const again = await app.visit(login, callback)
    expect(again.headers.get('Location')).toBe(`${APP}/`)
  })

  it('[K14] whose response was lost is repeated once, without another page for the user', async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const callback = await app.callback(
      newInstance().login,
      browser,
      '/auth/signin?returnTo=/orders',
    )
    await newInstance().login.handler(app.request(callback))

    const { login } = newInstance()
    const again = await app.visit(login, callback)
    const next = redirectUrl(await browser.get(redirectUrl(again, 303).href), 303)
    const response = await app.visit(login, next.href)

    expect(response.headers.get('Location')).toBe(`${APP}/orders`)
    expect((await login.getSession(app.request('/')))?.user.id).toBe(userId)
    expect([...app.cookies.keys()]).toEqual([SESSION])
  })

  it('is repeated with all of its parameters after an invalid code', async () => {
    const added = {
      provider: 'tiktok',
      prompt: 'login',
      ui_locales: 'de',
      acr_values: 'phr',
      max_age: '0',
    }
    const { login } = newInstance()
    const app = new AppBrowser()
    const start = await app.visit(login, `/auth/signin?${new URLSearchParams(added)}`)
    const state = redirectUrl(start).searchParams.get('state') ?? ''

    const invalid = new URLSearchParams({ state, iss: LOGIN, code: 'ac_x' })
    const repeated = redirectUrl(await app.visit(login, `/auth/callback?${invalid}`), 303)

    expect(repeated.searchParams.get('state')).not.toBe(state)
    expect(Object.fromEntries(repeated.searchParams)).toMatchObject(added)
  })

  it('does not start with parameters that are too long for its cookie', async () => {
    const path = `/auth/signin?acr_values=${'x'.repeat(500)}`

    const response = await new AppBrowser().visit(newInstance().login, path)

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('invalid_request')
  })

  it('[G4] ends the session that it replaces, and copies of its cookie', async () => {
    stopClock()
    const { login, app, browser, requests } = await newAppUser()
    const copy = copyOf(app)

    await app.signIn(login, browser)
    advanceClock(15)

    expect(requests.filter((path) => path === '/oidc/revoke')).toHaveLength(1)
    for (const instance of [login, newInstance().login]) {
      expect(await instance.getSession(copy.request('/'))).toBeNull()
      expect(await instance.getToken(copy.request('/'))).toMatchObject({ token: null })
      expect(await instance.getSession(app.request('/'))).not.toBeNull()
    }
    advanceClock(DAY)
    expect((await newInstance().login.getToken(copy.request('/'))).token).toBeNull()
    expect((await newInstance().login.getToken(app.request('/'))).token).not.toBeNull()
  })

  it('[K14] that the browser finishes again keeps the session that it has opened', async () => {
    stopClock()
    const { login } = newInstance()
    const { browser } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const callback = await app.callback(login, browser)
    const attempt = copyOf(app)

    await app.visit(login, callback)
    for (const [name, value] of attempt.cookies) app.cookies.set(name, value)
    await app.visit(login, callback)
    advanceClock(15)

    expect(await login.getSession(app.request('/'))).not.toBeNull()
  })

  it('replaces a session also if its tokens cannot be revoked', async () => {
    const { app, browser } = await newAppUser()
    const former = app.cookies.get(SESSION)
    const { login } = newInstance({
      fetch: (url, init) => (url.endsWith('/oidc/revoke') ? unreachable() : fetchLogin(url, init)),
    })

    await app.signIn(login, browser)

    expect(app.cookies.get(SESSION)).not.toBe(former)
    expect(await login.getSession(app.request('/'))).not.toBeNull()
  })

  it.each<[string, () => Promise<Response>]>([
    ['is unavailable', unreachable],
    ['responds with 503', async () => Response.json({ error: 'x' }, { status: 503 })],
    ['responds with 429', async () => Response.json({ error: 'x' }, { status: 429 })],
  ])('can be finished later if the login service %s', async (_, fetch) => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const callback = await app.callback(newInstance().login, browser)

    const failed = await app.visit(newInstance({ fetch }).login, callback)
    const { login } = newInstance()
    await app.visit(login, callback)

    expect(failed.status).toBe(503)
    expect((await login.getSession(app.request('/')))?.user.id).toBe(userId)
  })

  it('waits for a login service that takes five seconds', { timeout: 20_000 }, async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const app = new AppBrowser()
    const { login, requests } = newInstance({
      fetch: async (url, init) => {
        if (url.endsWith('/oidc/token')) await scheduler.wait(5_000)
        return fetchLogin(url, init)
      },
    })
    const callback = await app.callback(login, browser)

    const first = app.visit(login, callback)
    await scheduler.wait(4_000)
    await Promise.all([first, login.handler(app.request(callback))])

    expect(requests.filter((path) => path === '/oidc/token')).toHaveLength(1)
    expect((await login.getSession(app.request('/')))?.user.id).toBe(userId)
  })

  it('[L12] fails if the secret of the client is wrong, with the reason in the log only', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const { login } = newInstance({ clientSecret: 'wrong' })
    const app = new AppBrowser()

    const response = await app.signIn(login, browser)

    expect(response.status).toBe(500)
    expect(await response.text()).toContain('(configuration)')
    expect(app.cookies.size).toBe(0)
  })
})

describe('POST /auth/signout', () => {
  it('signs the user out of the app and the login service, without a confirmation', async () => {
    const { login, app, browser } = await newAppUser()

    const response = await app.visit(login, '/auth/signout', {
      method: 'POST',
      headers: SAME_ORIGIN,
    })
    const signedOut = await browser.get(redirectUrl(response, 303).href)

    expect(app.cookies.size).toBe(0)
    expect(signedOut.headers.get('Location')).toBe(`${APP}/`)
    expect(await browser.session()).toBeNull()
  })

  it.each<[string, string, Record<string, string>]>([
    ['a page of another site', 'POST', { 'Sec-Fetch-Site': 'cross-site', Origin: APP }],
    ['a page of the same site', 'POST', { 'Sec-Fetch-Site': 'same-site' }],
    ['an old browser at another origin', 'POST', { Origin: 'https://evil.example' }],
    ['a page without an origin', 'POST', { Origin: 'null' }],
    ['neither header', 'POST', {}],
    ['a link', 'GET', SAME_ORIGIN],
  ])('[M6] signs nobody out for %s', async (_, method, headers) => {
    const { login, app, requests } = await newAppUser()

    const response = await app.visit(login, '/auth/signout', { method, headers })

    expect(response.status).toBe(method === 'GET' ? 405 : 403)
    expect(await response.text()).toContain(method === 'GET' ? 'a form (POST)' : `page of ${APP}.`)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(requests).toEqual([])
    expect(await login.getSession(app.request('/'))).not.toBeNull()
  })

  it.each<[string, Partial<ServerOptions>]>([
    ['a refresh token', {}],
    ['no refresh token', { fetch: withoutRefreshToken }],
  ])(
    '[G4] ends a copy of a cookie with %s, although the browser does not follow the redirect',
    async (_, options) => {
      stopClock()
      const { login, app, browser } = await newAppUser(newInstance(options))
      const copy = copyOf(app)
      const { token } = await login.getToken(copy.request('/'))
      expect(token).not.toBeNull()

      await app.visit(login, '/auth/signout', { method: 'POST', headers: SAME_ORIGIN })
      advanceClock(15)

      for (const instance of [login, newInstance().login]) {
        expect(await instance.getSession(copy.request('/'))).toBeNull()
        expect(await instance.getToken(copy.request('/'))).toMatchObject({ token: null })
      }
      expect(await browser.session()).not.toBeNull()
      advanceClock(DAY)
      expect(await newInstance().login.getSession(copy.request('/'))).toBeNull()
    },
  )

  it.each<[string, { fetch: typeof fetchLogin; age: number; revocations: number }]>([
    ['a refresh token', { fetch: fetchLogin, age: 0, revocations: 1 }],
    ['a refresh token, after a day', { fetch: fetchLogin, age: DAY, revocations: 1 }],
    ['no refresh token', { fetch: withoutRefreshToken, age: 0, revocations: 1 }],
    ['no refresh token, after a day', { fetch: withoutRefreshToken, age: DAY, revocations: 0 }],
  ])(
    '[R1] does not use up the rate limit of the app with copies of a cookie with %s',
    async (_, { fetch, age, revocations }) => {
      const { login, app, requests } = await newAppUser(newInstance({ fetch }))
      advanceClock(age)
      const signOut = () =>
        copyOf(app).visit(login, '/auth/signout', { method: 'POST', headers: SAME_ORIGIN })

      await Promise.all(Array.from({ length: 20 }, signOut))
      for (let n = 0; n < 5; n++) await signOut()

      expect(requests.filter((path) => path === '/oidc/revoke')).toHaveLength(revocations)
      expect(requests.filter((path) => path === '/oidc/token').length).toBeLessThanOrEqual(2)
    },
  )

  it('signs out of the login service also if the tokens cannot be revoked', async () => {
    const { app, browser } = await newAppUser()
    const { login } = newInstance({
      fetch: (url, init) => (url.endsWith('/oidc/revoke') ? unreachable() : fetchLogin(url, init)),
    })

    const response = await app.visit(login, '/auth/signout', {
      method: 'POST',
      headers: SAME_ORIGIN,
    })
    await browser.get(redirectUrl(response, 303).href)

    expect(app.cookies.size).toBe(0)
    expect(await browser.session()).toBeNull()
  })

  it('works in an old browser, which sends only the origin', async () => {
    const { login, app } = await newAppUser()

    await app.visit(login, '/auth/signout', { method: 'POST', headers: { Origin: APP } })

    expect(app.cookies.size).toBe(0)
  })

  it('removes the cookie also while the login service is unavailable, where the user is asked', async () => {
    const { app } = await newAppUser()
    const { login } = newInstance({ fetch: unreachable })

    const response = await app.visit(login, '/auth/signout', {
      method: 'POST',
      headers: SAME_ORIGIN,
    })

    expect(app.cookies.size).toBe(0)
    const { pathname, searchParams } = redirectUrl(response)
    expect(pathname).toBe('/oidc/logout')
    expect(searchParams.has('id_token_hint')).toBe(false)
  })

  it('of a session that has ended returns to the app', async () => {
    const { login, app, browser } = await newAppUser()
    await signOutAtLogin(browser)
    advanceClock(15)

    const response = await app.visit(login, '/auth/signout', {
      method: 'POST',
      headers: SAME_ORIGIN,
    })

    expect(response.headers.get('Location')).toBe(`${APP}/`)
    expect(app.cookies.size).toBe(0)
  })
})

describe('handler', () => {
  it.each([
    ['GET', '/auth/other', 404],
    ['GET', '/auth/signin/other', 404],
    ['POST', '/auth/signin', 405],
    ['POST', '/auth/callback', 405],
  ])('responds to nothing else, and says what it has: %s %s', async (method, path, status) => {
    const { login } = newInstance()

    const response = await new AppBrowser().visit(login, path, { method })

    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/)
    const text = status === 404 ? '/auth/signin, /auth/callback, /auth/signout' : 'a link (GET)'
    expect(await response.text()).toContain(text)
  })

  it.each<[string, Partial<ServerOptions>, string | undefined]>([
    ['/login/signin', {}, undefined],
    ['/login/auth/signin', {}, undefined],
    ['/login/signin', { path: '/login' }, '/login/callback'],
    // What remains if a framework or a proxy removes the beginning.
    ['/signin', { path: '/login' }, '/login/callback'],
    ['/auth/signin', { path: '/shop/auth' }, '/shop/auth/callback'],
  ])(
    'at %s, with %o, starts a sign-in only if it returns there',
    async (path, options, callback) => {
      const { login } = newInstance(options)

      const response = await new AppBrowser().visit(login, path)

      if (callback) {
        const { searchParams } = redirectUrl(response, 303)
        expect(searchParams.get('redirect_uri')).toBe(`${APP}${callback}`)
      } else {
        expect(response.status).toBe(404)
        expect(await response.text()).toContain('If it is elsewhere, set the option path.')
      }
    },
  )

  it('takes its origin from the options, and not from a proxy or the Host header', async () => {
    const { login } = newInstance()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }

    const response = await login.handler({
      method: 'GET',
      url: '/signin?returnTo=http://10.0.0.1/',
      headers,
    })

    expect(redirectUrl(response).searchParams.get('redirect_uri')).toBe(`${APP}/auth/callback`)
  })

  it.each(['', '/', '//', 'http://[', 'https://evil.example', '*'])(
    '[N2] responds with 404 to a malformed URL: %s',
    async (url) => {
      const { login } = newInstance()

      expect((await login.handler({ method: 'GET', url, headers: {} })).status).toBe(404)
    },
  )

  it('accepts a request of Node', async () => {
    const { login, app } = await newAppUser()
    const cookie = app.request('/').headers.get('Cookie') ?? ''

    expect(await login.getSession({ headers: { cookie } })).not.toBeNull()
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const response = await login.handler({ method: 'POST', url: '/auth/signout', headers })
    expect(response.status).toBe(303)
  })
})

describe('getSession', () => {
  it('[L6] sends no request per request', async () => {
    stopClock()
    const { login, app, requests } = await newAppUser()

    for (let count = 0; count < 10; count++) await login.getSession(app.request('/'))

    expect(requests).toEqual(['/.well-known/revocations'])
  })

  it('returns null without a cookie, without a request', async () => {
    const { login, requests } = newInstance()

    expect(await login.getSession(new AppBrowser().request('/'))).toBeNull()
    expect(requests).toEqual([])
  })

  it('[J12] ends within fifteen seconds after a sign-out at the login service', async () => {
    stopClock()
    const { login, app, browser } = await newAppUser()
    expect(await login.getSession(app.request('/'))).not.toBeNull()

    await signOutAtLogin(browser)
    advanceClock(15)

    expect(await login.getSession(app.request('/'))).toBeNull()
    expect(await login.getToken(app.request('/'))).toMatchObject({ token: null })
  })

  it.each([
    ['at once', 15, '/.well-known/revocations'],
    ['when the list has forgotten it', 15 * MINUTE, '/oidc/introspect'],
  ])('[J12] of a new instance knows that the session has ended: %s', async (_, wait, path) => {
    stopClock()
    const { app, browser } = await newAppUser()
    await signOutAtLogin(browser)
    advanceClock(wait)
    const { login, requests } = newInstance()

    expect(await login.getSession(app.request('/'))).toBeNull()
    expect(requests).toContain(path)
  })

  it('confirms a session once per lifetime of a token and instance, without using the refresh token', async () => {
    stopClock()
    const { login, app, requests, userId } = await newAppUser()
    const cookie = app.cookies.get(SESSION)

    advanceClock(DAY)
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () => login.getSession(app.request('/'))),
    )
    for (const session of sessions) expect(session?.user.id).toBe(userId)
    expect(requests.filter((path) => path === '/oidc/introspect')).toHaveLength(1)
    advanceClock(9 * MINUTE)
    await login.getSession(app.request('/'))
    expect(requests.filter((path) => path === '/oidc/introspect')).toHaveLength(1)
    advanceClock(MINUTE)
    await login.getSession(app.request('/'))
    expect(requests.filter((path) => path === '/oidc/introspect')).toHaveLength(2)

    expect(requests).not.toContain('/oidc/token')
    expect(app.cookies.get(SESSION)).toBe(cookie)
    expect((await login.getToken(app.request('/'))).token).not.toBeNull()
  })

  it('[J12] does not rely on a confirmation from before every isolate knows that the client is disabled', async () => {
    stopClock()
    // Afterwards, the tokens of other tests are not revoked.
    advanceClock(-DAY)
    const { login, app, requests } = await newAppUser()
    const confirmations = () => requests.filter((path) => path === '/oidc/introspect').length
    await revokeTokens(env, config, ['web'], 'disabled')
    advanceClock(20)

    expect(await login.getSession(app.request('/'))).not.toBeNull()
    advanceClock(44)
    expect(await login.getSession(app.request('/'))).not.toBeNull()
    expect(confirmations()).toBe(1)
    advanceClock(1)
    await login.getSession(app.request('/'))

    expect(confirmations()).toBe(2)
  })

  it('asks for a session that has ended once per lifetime of a token', async () => {
    stopClock()
    const { login, app, browser, requests } = await newAppUser()
    await signOutAtLogin(browser)
    advanceClock(DAY)

    for (let count = 0; count < 5; count++) {
      expect(await login.getSession(app.request('/'))).toBeNull()
    }

    expect(requests.filter((path) => path === '/oidc/introspect')).toHaveLength(1)
  })

  it('counts for the lifetime of a token while the login service is unavailable, then it is not known', async () => {
    stopClock()
    const { app, userId } = await newAppUser()
    const { login, requests } = newInstance({ fetch: unreachable })

    advanceClock(599)
    expect((await login.getSession(app.request('/')))?.user.id).toBe(userId)
    expect((await login.getToken(app.request('/'))).token).not.toBeNull()
    advanceClock(1)
    await expect(login.getSession(app.request('/'))).rejects.toThrow(UnavailableError)
    await expect(login.getToken(app.request('/'))).rejects.toThrow(UnavailableError)
    // The next requests do not wait.
    requests.length = 0
    await expect(login.getSession(app.request('/'))).rejects.toThrow(UnavailableError)
    expect(requests).toEqual([])
    advanceClock(5)
    await expect(login.getSession(app.request('/'))).rejects.toThrow(UnavailableError)
    expect(requests).toContain('/oidc/introspect')
  })

  it('works again when the login service does', async () => {
    stopClock()
    const { app } = await newAppUser()
    let isReachable = false
    const { login } = newInstance({
      fetch: (url, init) => (isReachable ? fetchLogin(url, init) : unreachable()),
    })
    advanceClock(DAY)
    await expect(login.getSession(app.request('/'))).rejects.toThrow(UnavailableError)

    isReachable = true
    advanceClock(10)

    expect(await login.getSession(app.request('/'))).not.toBeNull()
  })

  it('is not deceived by the clock of another instance', async () => {
    stopClock()
    advanceClock(DAY)
    const { app } = await newAppUser()
    advanceClock(-DAY)
    const { login, requests } = newInstance()

    expect(await login.getSession(app.request('/'))).not.toBeNull()

    expect(requests).toContain('/oidc/introspect')
  })

  it.each<[string, (value: string) => string]>([
    ['altered', (value) => value.replace(/.{10}$/, (end) => [...end].reverse().join(''))],
    ['of another kind', (value) => `${value.slice(0, 16)}${value.slice(20)}`],
    ['shortened', (value) => value.slice(0, -4)],
    ['quoted', (value) => `"${value}"`],
    ['padded', (value) => `${value}=`],
    ['oversized', (value) => value.repeat(20)],
    ['empty', () => ''],
    ['unsealed', () => btoa('{"claims":{"sub":"usr_1"}}')],
    ['sent twice', (value) => `${value}; ${SESSION}=${value}`],
  ])('[L9] returns null for a cookie that is %s', async (_, change) => {
    const { login, app, requests } = await newAppUser()
    app.cookies.set(SESSION, change(app.cookies.get(SESSION) ?? ''))

    expect(await login.getSession(app.request('/'))).toBeNull()
    expect(requests).toEqual([])
  })

  it('[K3] accepts neither the cookie of an attempt nor that of another app or login service', async () => {
    const { login, app } = await newAppUser()
    const cookie = app.cookies.get(SESSION) ?? ''
    const attempts = new AppBrowser()
    await attempts.visit(login, '/auth/signin')
    const [attempt = ''] = attempts.cookies.values()
    const read = (server: Server, name: string, value: string) =>
      server.getSession({ headers: { cookie: `${name}=${value}` } })

    expect(await read(login, SESSION, cookie)).not.toBeNull()
    expect(await read(login, SESSION, attempt)).toBeNull()
    const otherApp = newInstance({ clientId: 'web_' }).login
    expect(await read(otherApp, `${SESSION}_`, cookie)).toBeNull()
    const otherLogin = newInstance({ url: 'https://login.staging.example' }).login
    expect(await read(otherLogin, SESSION, cookie)).toBeNull()
  })

  it('[L7] opens cookies of older secrets, and no others', async () => {
    const [first, second] = [
      'the first secret of the web app, 1',
      'the second secret of the web app, 2',
    ]
    const { app } = await newAppUser(newInstance({ secret: first }))
    const sessionWith = (secret: string | string[]) =>
      newInstance({ secret }).login.getSession(app.request('/'))

    expect(await sessionWith([second, first])).not.toBeNull()
    expect(await sessionWith(second)).toBeNull()
  })

  it('ends with the token if the user has declined offline access', async () => {
    stopClock()
    const { login, app } = await newAppUser(newInstance({ fetch: withoutRefreshToken }))

    advanceClock(599)
    expect(await login.getSession(app.request('/'))).not.toBeNull()
    expect((await login.getToken(app.request('/'))).token).not.toBeNull()
    advanceClock(1)
    expect(await login.getSession(app.request('/'))).toBeNull()
    expect((await login.getToken(app.request('/'))).token).toBeNull()
  })
})

/** A login service that replaces refresh tokens, of which the app sees only the first one. */
function withoutRotation(isRepeated: boolean): typeof fetchLogin {
  let first = ''
  let current = ''
  return async (url, init) => {
    if (!url.endsWith('/oidc/token')) return fetchLogin(url, init)
    const form = new URLSearchParams(String(init?.body))
    if (first) form.set('refresh_token', current)
    const response = await fetchLogin(url, { ...init, body: form })
    const { refresh_token, ...rest } = await response.json<{ refresh_token: string }>()
    const isVisible = isRepeated || !first
    first ||= refresh_token
    current = refresh_token
    return Response.json(isVisible ? { ...rest, refresh_token: first } : rest)
  }
}

describe('the request of getSession and getToken', () => {
  const promise = Promise.resolve(new Headers())
  const MISSING = 'The request is missing: pass the Request, or { headers } with its headers.'
  const PROMISE = 'The headers are a promise: pass { headers: await headers() }.'

  it.each<[string, unknown, string]>([
    ['no argument', undefined, MISSING],
    ['headers()', promise, PROMISE],
    ['{ headers: headers() }', { headers: promise }, PROMISE],
    ['the headers themselves', new Headers(), MISSING],
    ['the context of Hono', { req: new Request(APP) }, MISSING],
  ])('is not %s', async (_name, argument, message) => {
    const { login } = newInstance()
    const request = argument as Request

    await expect(login.getSession(request)).rejects.toThrow(new TypeError(message))
    await expect(login.getToken(request)).rejects.toThrow(new TypeError(message))
  })
})

describe('getToken', () => {
  it('[F1][J11] returns a token for the APIs of the app, and the same one until it is due', async () => {
    stopClock()
    const { login, app, requests, userId } = await newAppUser()

    const { token, headers } = await login.getToken(app.request('/'))

    expect(decodeJwt(token ?? '')).toMatchObject({
      sub: userId,
      aud: expect.arrayContaining(['https://orders.example']),
    })
    expect([...headers]).toEqual([['cache-control', 'private, no-store']])
    advanceClock(479)
    expect((await login.getToken(app.request('/'))).token).toBe(token)
    expect(requests).not.toContain('/oidc/token')
  })

  it('returns null without a session', async () => {
    const request = new AppBrowser().request('/')
    const { token, session, headers } = await newInstance().login.getToken(request)

    expect(token).toBeNull()
    expect(session).toBeNull()
    expect([...headers]).toEqual([])
  })

  it('returns the session that getSession returns, which is current after a renewal', async () => {
    stopClock()
    const { login, app } = await newAppUser()
    const before = await login.getToken(app.request('/'))
    expect(before.session).toEqual(await login.getSession(app.request('/')))
    advanceClock(480)

    const { session } = await login.getToken(app.request('/'))

    expect(session?.claims.iat).toBe((before.session?.claims.iat ?? 0) + 480)
    expect(session).toEqual(await login.getSession(app.request('/')))
  })

  it.each<[string, () => Promise<Response>]>([
    ['of fetch', () => fetch('data:text/plain,Orders')],
    ['that redirects', async () => Response.redirect(`${APP}/orders`)],
    [
      'that sets a cookie and may be stored',
      async () =>
        new Response('Orders', {
          headers: { 'Set-Cookie': 'theme=dark', 'Cache-Control': 'public, max-age=60' },
        }),
    ],
  ])('[J11] adds the headers of a renewal to a response %s', async (_, respond) => {
    stopClock()
    const { login, app } = await newAppUser()
    advanceClock(480)
    const { headers, withHeaders } = await login.getToken(app.request('/'))
    const original = await respond()

    const response = withHeaders(await respond())

    expect(response.status).toBe(original.status)
    expect(response.headers.get('Location')).toBe(original.headers.get('Location'))
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    expect(response.headers.getSetCookie()).toEqual([
      ...original.headers.getSetCookie(),
      ...headers.getSetCookie(),
    ])
    expect(await response.text()).toBe(await original.text())
  })

  it('renews the token before it expires, with the cookie and the claims', async () => {
    stopClock()
    const { login, app } = await newAppUser()
    const { token } = await login.getToken(app.request('/'))
    const before = await login.getSession(app.request('/'))
    advanceClock(480)

    const renewed = await login.getToken(app.request('/'))
    app.store(renewed.headers)

    expect(renewed.token).not.toBe(token)
    expect(renewed.headers.get('Cache-Control')).toBe('private, no-store')
    const { login: other, requests } = newInstance()
    advanceClock(599)
    const after = await other.getSession(app.request('/'))
    expect(after?.claims.iat).toBe((before?.claims.iat ?? 0) + 480)
    expect(requests).not.toContain('/oidc/introspect')
  })

  it.each([
    ['repeats', true],
    ['omits', false],
  ])('renews with the same refresh token if the login service %s it', async (_, isRepeated) => {
    stopClock()
    const { login, app, requests } = await newAppUser(
      newInstance({ fetch: withoutRotation(isRepeated) }),
    )
    const tokens = new Set([(await login.getToken(app.request('/'))).token])
    for (let round = 1; round <= 3; round++) {
      advanceClock(480)
      const older = app.request('/')
      const results = await Promise.all([login.getToken(older), login.getToken(older)])
      // The browser has lost the response to the second renewal.
      if (round !== 2) app.store(results[0].headers)
      for (const { token } of results) tokens.add(token)
      expect((await login.getToken(app.request('/'))).token).toBe(results[0].token)

      expect(tokens.size).toBe(round + 1)
      expect(requests.filter((path) => path === '/oidc/token')).toHaveLength(round)
    }
    expect(tokens).not.toContain(null)
  })

  it('[S2] does not renew with the tokens of another user', async () => {
    const refreshTokens: string[] = []
    const recording: typeof fetchLogin = async (url, init) => {
      const response = await fetchLogin(url, init)
      if (!url.endsWith('/oidc/token')) return response
      const tokens = await response.json<{ refresh_token: string }>()
      refreshTokens.push(tokens.refresh_token)
      return Response.json(tokens)
    }
    await newAppUser(newInstance({ fetch: recording }))
    const { app } = await newAppUser()
    const { login } = newInstance({
      fetch: (url, init) => {
        if (!url.endsWith('/oidc/token')) return fetchLogin(url, init)
        const body = new URLSearchParams(String(init?.body))
        body.set('refresh_token', refreshTokens[0] ?? '')
        return fetchLogin(url, { ...init, body })
      },
    })
    advanceClock(DAY)

    await expect(login.getToken(app.request('/'))).rejects.toThrow('not for this sign-in')
  })

  it('returns the cookies of the request with the renewed one, for a proxy', async () => {
    stopClock()
    const { login, app } = await newAppUser()
    app.cookies.set('theme', 'dark=1')
    const before = await login.getToken(app.request('/'))
    expect(before.cookie).toBe(app.request('/').headers.get('Cookie'))
    advanceClock(480)

    const { cookie, headers } = await login.getToken(app.request('/'))

    const [renewed = ''] = headers.get('Set-Cookie')?.split(';') ?? []
    expect(cookie.split('; ').sort()).toEqual([renewed, 'theme=dark=1'].sort())
    const passedOn = { headers: new Headers({ Cookie: cookie }) }
    expect(await newInstance().login.getSession(passedOn)).not.toBeNull()
  })

  it('[D3] renews once for ten parallel requests to one instance', async () => {
    stopClock()
    const { login, app, requests } = await newAppUser()
    advanceClock(DAY)

    const results = await Promise.all(
      Array.from({ length: 10 }, () => login.getToken(app.request('/'))),
    )

    expect(new Set(results.map(({ token }) => token)).size).toBe(1)
    expect(requests.filter((path) => path === '/oidc/token')).toHaveLength(1)
    for (const { headers } of results) expect(headers.getSetCookie()).toHaveLength(1)
  })

  it('[D3] gives ten parallel requests to ten instances sessions that all go on', async () => {
    stopClock()
    const { app, userId } = await newAppUser()
    advanceClock(DAY)

    const results = await Promise.all(
      Array.from({ length: 10 }, () => newInstance().login.getToken(app.request('/'))),
    )

    for (const { headers, token } of results) {
      expect(token).not.toBeNull()
      const one = new AppBrowser()
      one.store(headers)
      advanceClock(1)
      const session = await newInstance().login.getSession(one.request('/'))
      expect(session?.user.id).toBe(userId)
    }
    const [last] = results.slice(-1)
    app.store(last?.headers ?? new Headers())
    advanceClock(DAY)
    expect((await newInstance().login.getToken(app.request('/'))).token).not.toBeNull()
  })

  it('[D5] repeats a renewal whose response was lost: for twenty seconds at any instance', async () => {
    stopClock()
    const { app } = await newAppUser()
    advanceClock(DAY)
    await newInstance().login.getToken(app.request('/'))

    advanceClock(19)
    const { token, headers } = await newInstance().login.getToken(app.request('/'))
    app.store(headers)
    advanceClock(DAY)

    expect(token).not.toBeNull()
    expect((await newInstance().login.getToken(app.request('/'))).token).not.toBeNull()
  })

  it('[D5] repeats a renewal whose response was lost: for the lifetime of a token at the same instance', async () => {
    stopClock()
    const { login, app, requests } = await newAppUser()
    advanceClock(480)
    const lost = await login.getToken(app.request('/'))
    requests.length = 0

    advanceClock(400)
    const { token, headers } = await login.getToken(app.request('/'))
    app.store(headers)

    expect(token).toBe(lost.token)
    expect(requests).not.toContain('/oidc/token')
    advanceClock(DAY)
    expect((await newInstance().login.getToken(app.request('/'))).token).not.toBeNull()
  })

  it('[D5] keeps the session of a renewal whose response was lost, where no headers can be set', async () => {
    stopClock()
    const { login, app, userId } = await newAppUser()
    advanceClock(DAY)
    const lost = await login.getToken(app.request('/'))

    advanceClock(400)

    expect((await login.getSession(app.request('/')))?.user.id).toBe(userId)
    const { token } = await login.getToken(app.request('/'), { canSetHeaders: false })
    expect(token).toBe(lost.token)
  })

  it('[D4] ends the session if an old cookie is used later, as a thief would', async () => {
    stopClock()
    const { login, app } = await newAppUser()
    const thief = new AppBrowser()
    for (const [name, value] of app.cookies) thief.cookies.set(name, value)
    advanceClock(DAY)
    app.store((await login.getToken(app.request('/'))).headers)
    advanceClock(DAY)

    expect((await login.getToken(thief.request('/'))).token).toBeNull()
    advanceClock(15)
    expect(await login.getSession(app.request('/'))).toBeNull()
  })

  it('does not renew where no headers can be set', async () => {
    stopClock()
    const { login, app, requests } = await newAppUser()
    const readOnly = { canSetHeaders: false } as const

    expect((await login.getToken(app.request('/'), readOnly)).token).not.toBeNull()
    advanceClock(599)
    expect((await login.getToken(app.request('/'), readOnly)).token).not.toBeNull()
    advanceClock(1)
    expect((await login.getToken(app.request('/'), readOnly)).token).toBeNull()
    expect(requests).not.toContain('/oidc/token')
  })

  it('says so in its types', () => {
    const read = (login: Server) => login.getToken(new Request(APP), { canSetHeaders: false })
    const renew = (login: Server) => login.getToken(new Request(APP))

    expectTypeOf(read).returns.resolves.not.toHaveProperty('headers')
    expectTypeOf(renew).returns.resolves.toHaveProperty('headers')
  })

  it('keeps the token while the login service is unavailable', async () => {
    stopClock()
    const { app } = await newAppUser()
    const { login } = newInstance({ fetch: unreachable })
    advanceClock(500)

    const { token, headers } = await login.getToken(app.request('/'))

    expect(token).not.toBeNull()
    expect([...headers.keys()]).toEqual(['cache-control'])
  })

  it.each([
    ['leaves out the URLs of a profile that are too long for the cookie', 'picture', 303],
    ['fails if claims are too long for the cookie', 'note', 500],
  ])('[L8] %s', async (_, name, status) => {
    const claims: Callbacks['claims'] = ({ kind }) =>
      kind === 'id_token' ? { [name]: `https://images.example/${'x'.repeat(3000)}` } : {}
    const large = serviceOf(createVestibule({ ...options, callbacks: { claims } }), settings)
    const { browser } = await signInNewUser(new Browser(service))
    const { login } = newInstance({ fetch: (url, init) => large(new Request(url, init)) })
    const app = new AppBrowser()

    const response = await app.signIn(login, browser)

    expect(response.status).toBe(status)
    const session = await login.getSession(app.request('/'))
    expect(session?.user.image).toBeUndefined()
    expect(session !== null).toBe(status === 303)
  })
})

/** A login service of our own, which signs anything. `respond` answers other requests than for its keys. */
async function ownLoginService(respond: typeof fetchLogin = unreachable) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }
  const fetch: typeof fetchLogin = async (url, init) =>
    url.endsWith('/jwks.json') ? Response.json({ keys: [jwk] }) : respond(url, init)
  const sign = (typ: string, claims: Record<string, unknown>) => {
    const iat = Math.floor(Date.now() / 1000)
    const common = { iss: LOGIN, sub: 'usr_1', sid: 'ses_1', aud: 'web', iat, exp: iat + 60 }
    return new SignJWT({ ...common, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ })
      .sign(privateKey)
  }
  return { fetch, sign }
}

describe('an ID token', () => {
  it.each<[string, string, Record<string, unknown>, boolean]>([
    ['for this app', 'JWT', {}, true],
    ['of another issuer', 'JWT', { iss: 'https://evil.example' }, false],
    ['for another app', 'JWT', { aud: 'other' }, false],
    ['for this app and another one', 'JWT', { aud: ['web', 'other'] }, false],
    ['that is a session token', 'JWT', { token_use: 'session' }, false],
    ['that is an access token', 'at+jwt', {}, false],
    ['without a session', 'JWT', { sid: undefined }, false],
    ['without a user', 'JWT', { sub: undefined }, false],
  ])(
    '[F5][K7] %s, of the type %s with %o, signs the user in: %s',
    async (_, typ, claims, isUsed) => {
      const { browser } = await signInNewUser(new Browser(service))
      const own = await ownLoginService(async (url, init) => {
        const response = await fetchLogin(url, init)
        if (!url.endsWith('/oidc/token')) return response
        const tokens = await response.json<{ id_token: string }>()
        const { nonce } = decodeJwt(tokens.id_token)
        return Response.json({ ...tokens, id_token: await own.sign(typ, { nonce, ...claims }) })
      })
      const { login } = newInstance({ fetch: own.fetch })
      const app = new AppBrowser()

      const response = await app.signIn(login, browser)

      expect(response.status).toBe(isUsed ? 303 : 500)
      expect(app.cookies.has(SESSION)).toBe(isUsed)
    },
  )
})

describe('verifyLogoutToken', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['with a nonce', 'logout+jwt', { nonce: 'x' }],
    ['without the event', 'logout+jwt', { events: {} }],
    ['with events that are no object', 'logout+jwt', { events: LOGOUT_EVENT }],
    ['without a session', 'logout+jwt', { sid: undefined }],
    ['without a user', 'logout+jwt', { sub: undefined }],
    ['without an id', 'logout+jwt', { jti: undefined }],
    ['without an expiry', 'logout+jwt', { exp: undefined }],
    ['for this app and another one', 'logout+jwt', { aud: ['web', 'other'] }],
    ['of another issuer', 'logout+jwt', { iss: 'https://evil.example' }],
    ['of the type of an ID token', 'JWT', {}],
  ])('[J8] rejects a logout token %s, of the type %s: %o', async (_, typ, claims) => {
    const { fetch, sign } = await ownLoginService()
    const { login } = newInstance({ fetch })
    const valid = { jti: 'one', events: { [LOGOUT_EVENT]: {} } }

    expect(await login.verifyLogoutToken(await sign('logout+jwt', valid))).toEqual({
      sub: 'usr_1',
      sid: 'ses_1',
      jti: 'one',
    })
    expect(await login.verifyLogoutToken(await sign(typ, { ...valid, ...claims }))).toBeNull()
  })

  it('[J8] accepts the logout token of the login service, and nothing else', async () => {
    const { login, app, browser, userId } = await newAppUser()
    const session = await login.getSession(app.request('/'))
    const { token } = await login.getToken(app.request('/'))
    const sid = session?.claims.sid ?? ''
    await signOutAtLogin(browser)
    await runDurableObjectAlarm(userObject(userId))
    const [delivery] = await vi.waitFor(async () => {
      const deliveries = await logoutDeliveries({ sid, path: '/web' })
      expect(deliveries).toHaveLength(1)
      return deliveries
    })
    const logoutToken = new URLSearchParams(delivery?.body).get('logout_token') ?? ''

    expect(await login.verifyLogoutToken(logoutToken)).toEqual({
      sub: userId,
      sid,
      jti: expect.any(String),
    })
    for (const other of ['', 'x', `${logoutToken.slice(0, -6)}AAAAAA`, token ?? '']) {
      expect(await login.verifyLogoutToken(other)).toBeNull()
    }
    const otherApp = newInstance({ clientId: 'post' }).login
    expect(await otherApp.verifyLogoutToken(logoutToken)).toBeNull()
    const unavailable = newInstance({ fetch: unreachable }).login
    await expect(unavailable.verifyLogoutToken(logoutToken)).rejects.toThrow(UnavailableError)
    advanceClock(151)
    expect(await login.verifyLogoutToken(logoutToken)).toBeNull()
  })
})

describe('createServer', () => {
  it.each<[string, Partial<ServerOptions>]>([
    ['url', { url: 'login.example' }],
    ['url', { url: 'http://login.example' }],
    ['url', { url: `${LOGIN}/path` }],
    ['origin', { origin: 'http://web.example' }],
    ['origin', { origin: `${APP}/path` }],
    ['origin', { origin: 'null' }],
    ['clientId', { clientId: '' }],
    ['clientSecret', { clientSecret: '' }],
    ['secret', { secret: 'short' }],
    ['secret', { secret: [] }],
    ['secret', { secret: ['x'.repeat(32), ''] }],
    ['path', { path: 'auth' }],
    ['path', { path: '/' }],
  ])('[L12] rejects an invalid %s when it is used: %o', async (name, change) => {
    const login = createServer({ ...OPTIONS, ...change })
    const request = new AppBrowser().request('/auth/signin')

    for (const used of [login.handler, login.getSession, login.getToken]) {
      await expect(used(request)).rejects.toThrow(new RegExp(`^${name} `))
    }
  })

  it('rejects an option that it does not know', async () => {
    const options = { canSetHeader: false } as never
    await expect(newInstance().login.getToken(new Request(APP), options)).rejects.toThrow(
      'There is no option canSetHeader. The options are canSetHeaders.',
    )
  })

  it('rejects an option of createServer that it does not know', async () => {
    const options = { ...OPTIONS, clientID: 'web' } as ServerOptions

    await expect(createServer(options).getSession(new Request(APP))).rejects.toThrow(
      'There is no option clientID. The options are url, clientId, clientSecret, secret, origin, path, scope, audiences, dpop, errorPath, fetch.',
    )
  })

  it.each(['url', 'origin'])('says that an %s with http is the reason', async (name) => {
    const login = createServer({ ...OPTIONS, [name]: 'http://web.example' })

    await expect(login.getSession(new Request(APP))).rejects.toThrow(
      `${name} must begin with https://, except on localhost. It is http://web.example.`,
    )
  })

  it('accepts a trailing slash, and http on this computer, where cookies have no prefix', async () => {
    const origin = 'http://localhost:3000/'
    const login = createServer({ ...OPTIONS, url: `${LOGIN}/`, origin })

    const response = await login.handler(new AppBrowser().request('/auth/signin'))

    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^vestibule-web\.[\w-]{43}=[\w-]+; .*; HttpOnly; SameSite=Lax$/),
    ])
  })
})
