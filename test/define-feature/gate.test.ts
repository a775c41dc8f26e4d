import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createUserApp } from '../../src/core/app.ts'
import { validateOptions } from '../../src/core/config/options.ts'
import { readEnglish } from '../../src/core/messages/english.ts'
import { UnavailableError } from '../../src/core/storage/unavailable-error.ts'
import type { UserObject } from '../../src/core/users/user-object.ts'
import { Browser } from '../browser.ts'
import { advanceClock, stopClock } from '../clock.ts'
import { addAsStranger, deployment } from '../combined/stranger.ts'
import { continueUrl } from '../continue-url.ts'
import {
  basic,
  formRequest,
  OFFLINE_ACCESS,
  RelyingApp,
  signedInToApp,
} from '../core/oidc/relying-app.ts'
import { readConfig } from '../deployment.ts'
import { hiddenFields } from '../html.ts'
import { OWN_PAGE } from '../link-account.ts'
import { createPlatformUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { clientsWith } from '../registered-clients.ts'
import { unreachable } from '../storage.ts'
import { PIN, pin, steppedOptions } from './stepped-deployment.ts'
import { steppedService } from './stepped-service.ts'
import { bindings, TERMS_TABLE } from './terms.ts'

const SESSION_COOKIE = '__Host-vestibule.session'
const PENDING_COOKIE = '__Host-vestibule.pending'

const service = steppedService()

beforeAll(async () => {
  await env.DIRECTORY.exec(TERMS_TABLE)
})

afterEach(() => {
  pin.isRequired = () => false
  pin.requests = []
  pin.endsGrants = false
  pin.path = '/pin'
  pin.level = undefined
})

/** Signs in, and leaves the page of the terms open. */
async function signInPending(handle?: string, browser = new Browser(service)) {
  const name = handle ?? (await createPlatformUser())
  const page = redirectUrl(await browser.signIn(name, { prompt: 'login' }))
  expect(page.pathname).toBe('/terms')
  return { browser, handle: name, page }
}

/** Presses the button of a step's page. */
async function submit(browser: Browser, page: string | URL, fields: Record<string, string> = {}) {
  const { href } = new URL(page, browser.origin)
  const html = await (await browser.get(href)).text()
  return browser.post(href, { ...Object.fromEntries(hiddenFields(html)), ...fields })
}

/** Signs a new user in who has accepted the terms. */
async function signInAccepted(handle?: string) {
  const signIn = await signInPending(handle)
  await submit(signIn.browser, signIn.page)
  const session = await signIn.browser.session()
  return { ...signIn, userId: session?.user.id ?? '' }
}

function replaceTerms(database: D1Database): void {
  const { TERMS } = bindings
  bindings.TERMS = database
  onTestFinished(() => void Object.assign(bindings, { TERMS }))
}

/** A deployment with steps to which a stranger has added accounts. Everyone has accepted the terms. */
function strangersDeployment() {
  replaceTerms({ prepare: () => ({ bind: () => ({ first: async () => 1 }) }) } as never)
  const changes = { TERMS: env.DIRECTORY, USERS: env.TEST_STEPPED_USERS }
  return deployment(changes, undefined, { features: steppedOptions.features })
}

/** Makes all sessions of a user those of a deployment without steps. */
async function forgetSteps(userId: string) {
  const object = env.TEST_STEPPED_USERS.get(env.TEST_STEPPED_USERS.idFromName(userId))
  await runInDurableObject(object, (_, { storage }) => {
    for (const [key, session] of storage.kv.list<{ steps?: unknown }>({ prefix: 'session:' })) {
      const { steps: _steps, ...before } = session
      storage.kv.put(key, before)
    }
  })
  for (const { name } of (await env.SESSIONS.list()).keys) {
    const { steps: _steps, ...copy } =
      (await env.SESSIONS.get<{ steps?: unknown }>(name, 'json')) ?? {}
    await env.SESSIONS.put(name, JSON.stringify(copy))
  }
}

/** The sign-ins of a user in the audit log. */
async function recordedSignIns(username: string): Promise<unknown[]> {
  const { results } = await env.DIRECTORY.prepare(
    `SELECT event, outcome, detail FROM audit
     WHERE subject = (SELECT id FROM users WHERE username = ?) AND event LIKE 'sign_in%' ORDER BY id`,
  )
    .bind(username)
    .all<Record<string, unknown>>()
  return results.map(Object.values)
}

/** The successful sign-ins of all users, and the new ones, as metrics count them. */
async function countedSignIns(): Promise<{ count: number; users: number }> {
  const row = await env.DIRECTORY.prepare(
    "SELECT sum(count) AS count, sum(new_users) AS users FROM counters WHERE outcome = 'ok'",
  ).first<{ count: number; users: number }>()
  return row ?? { count: 0, users: 0 }
}

/** Browsers whose session must not count. */
const PENDING: Record<string, () => Promise<{ browser: Browser; handle: string }>> = {
  'a sign-in that waits for a step': () => signInPending(),
  async 'a session from before the step was listed'() {
    const signIn = await signInAccepted()
    await forgetSteps(signIn.userId)
    return signIn
  },
}

/** They continue or end a pending session. */
const FOR_PENDING_SESSIONS = [
  'GET /terms',
  'POST /terms',
  'GET /pin',
  'POST /pin',
  'GET /pin/choose',
  'POST /pin/choose',
  'GET /api/auth/signin',
  'POST /api/auth/signout',
  'GET /oidc/logout',
  'POST /oidc/logout',
  'POST /oidc/logout/confirm',
]

/** Every route of the service. */
function listRoutes(): { method: string; path: string }[] {
  const { declared } = validateOptions(steppedOptions, readEnglish)
  const routes = [
    ...createUserApp(readConfig, declared).routes,
    ...declared.features.flatMap(({ area }) => area?.createRoutes(declared.features).routes ?? []),
  ]
  const names = new Set(
    routes
      .filter(({ method }) => method === 'GET' || method === 'POST')
      .map(({ method, path }) => `${method} ${path}`),
  )
  return [...names]
    .filter((name) => !name.includes('*') && !FOR_PENDING_SESSIONS.includes(name))
    .map((name) => name.split(' '))
    .map(([method = '', path = '']) => ({ method, path }))
}

/** What a stranger could tell from a response. */
async function describeResponse(
  browser: Browser,
  { method, path }: { method: string; path: string },
) {
  const address = path.replaceAll(/:\w+(\{[^}]*\})?\??/g, 'x')
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const response =
    method === 'GET' ? await browser.get(address) : await browser.post(address, { csrfToken })
  const location = response.headers.get('Location')
  return {
    status: response.status,
    location: location && new URL(location, browser.origin).pathname,
    body: new TextDecoder().decode(await response.arrayBuffer()),
  }
}

describe.each(Object.entries(PENDING))('%s', (_, signIn) => {
  it('is no session for any route', async () => {
    const { browser, handle } = await signIn()
    const routes = listRoutes()
    expect(routes.length).toBeGreaterThan(80)
    const paths = routes.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/api/auth/session', '/account', '/admin']))

    for (const route of routes) {
      const { body, ...shown } = await describeResponse(
        new Browser(service).withCookiesOf(browser),
        route,
      )
      const { body: _body, ...expected } = await describeResponse(new Browser(service), route)

      expect([route, shown]).toEqual([route, expected])
      expect([route, body.includes(handle)]).toEqual([route, false])
    }
    // It was there all the time.
    const page = redirectUrl(
      await browser.get('/api/auth/signin', { 'Sec-Fetch-Mode': 'navigate' }),
    )
    expect(page.pathname).toMatch(/^\/(terms|$)/)
  })

  it('has no session token, and nothing else at the session endpoint', async () => {
    const { browser } = await signIn()

    expect(await browser.json('/api/auth/session')).toBeNull()
    expect(await browser.json('/api/auth/session?token=false')).toBeNull()
  })

  it('is interaction_required for prompt=none, and tells third-party apps nothing', async () => {
    const { browser } = await signIn()
    const silent = { prompt: 'none' }

    const own = await new RelyingApp('web', service).callbackFor(browser, silent)
    const thirdParty = await new RelyingApp('kiosk', service).callbackFor(browser, silent)

    expect(own.searchParams.get('error')).toBe('interaction_required')
    expect(thirdParty.searchParams.get('error')).toBe('consent_required')
  })

  it('is not said to be signed out before it is', async () => {
    const { browser } = await signIn()

    const html = await (await browser.get('/api/auth/signout')).text()

    expect(html).toContain('id="confirm-logout"')
  })

  it('[J2][J5] is not ended by another site, nor by an app that takes no part in it', async () => {
    const { browser } = await signIn()
    const { idToken } = await signedInToApp()

    for (const query of ['', `?id_token_hint=${idToken}`]) {
      const response = await browser.get(`/oidc/logout${query}`, { 'Sec-Fetch-Site': 'cross-site' })

      expect(await response.text()).toContain('id="confirm-logout"')
    }
    const page = redirectUrl(await browser.get('/api/auth/signin'), 303)
    expect(page.pathname).toMatch(/^\/(terms|$)/)
  })

  it('ends at a sign-out', async () => {
    const { browser } = await signIn()
    const copy = new Browser(service).withCookiesOf(browser)

    await browser.post('/api/auth/signout', {})

    expect(redirectUrl(await copy.get('/terms'), 303).pathname).toBe('/api/auth/signin')
  })
})

describe('a pending session', () => {
  it('is not accepted as a session under the name of its cookie', async () => {
    const { browser } = await signInPending()
    browser.cookies.set(SESSION_COOKIE, browser.cookies.get(PENDING_COOKIE) ?? '')

    expect(await browser.session()).toBeNull()
  })

  it('gets another secret with its last step, which ends the first one', async () => {
    const { browser, page } = await signInPending()
    const thief = new Browser(service).withCookiesOf(browser)

    await submit(browser, page)

    expect(browser.cookieNames('pending')).toEqual([])
    expect(await browser.session()).not.toBeNull()
    expect(await thief.session()).toBeNull()
    expect(redirectUrl(await thief.get('/terms'), 303).pathname).toBe('/api/auth/signin')
  })

  it('leaves the former session of the browser alone until the last step', async () => {
    const { userId, browser } = await signInAccepted()
    const before = await browser.sid()
    pin.isRequired = () => true
    const other = await createPlatformUser()

    await browser.signIn(other, { prompt: 'select_account' })
    expect(await browser.sid()).toBe(before)

    await submit(browser, '/terms')
    expect(await browser.sid()).toBe(before)
    await submit(browser, '/pin', { pin: PIN })
    expect((await browser.session())?.user.id).not.toBe(userId)
  })

  it('of a browser that is known is not ended by sign-ins elsewhere, however many', async () => {
    const { browser, handle } = await signInAccepted()
    pin.isRequired = () => true
    const former = await browser.sid()
    await browser.signIn(handle)
    for (let count = 0; count < 205; count += 1) await new Browser(service).signIn(handle)

    await submit(browser, '/pin', { pin: PIN })

    expect(await browser.sid()).toBe(former)
    expect(decodeJwt((await browser.session())?.token ?? '')).toMatchObject({ amr: ['pin', 'mfa'] })
  })

  it('is not named by its key in the form of a step', async () => {
    const { browser, handle, page } = await signInPending()
    const user = await env.DIRECTORY.prepare('SELECT id FROM users WHERE username = ?')
      .bind(handle)
      .first<{ id: string }>()
    const object = env.TEST_STEPPED_USERS.get(env.TEST_STEPPED_USERS.idFromName(user?.id ?? ''))
    const keys = await runInDurableObject(object, (_, { storage }) =>
      Array.from(storage.kv.list({ prefix: 'session:' }), ([key]) => key.replace('session:', '')),
    )

    const html = await (await browser.get(page.href)).text()

    expect(keys).toHaveLength(1)
    expect(html).toContain('name="stepSession"')
    for (const key of keys) expect(html).not.toContain(key)
  })

  it('gets another secret with each step', async () => {
    pin.isRequired = () => true
    const { browser, page } = await signInPending()
    const thief = new Browser(service).withCookiesOf(browser)

    await submit(browser, page)

    expect(redirectUrl(await thief.get('/pin'), 303).pathname).toBe('/api/auth/signin')
    await submit(browser, '/pin', { pin: PIN })
    expect(await browser.session()).not.toBeNull()
  })

  it('does not pass a step on a page that was shown to another user', async () => {
    const { browser, page } = await signInPending()
    const form = Object.fromEntries(hiddenFields(await (await browser.get(page.href)).text()))
    await browser.signIn(await createPlatformUser(), { prompt: 'select_account' })

    const response = await browser.post(page.href, form)

    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('>Accept</button>'),
    ])
    expect(await browser.session()).toBeNull()
  })

  it('is recorded as a sign-in once it counts, and before as one that has begun', async () => {
    stopClock()
    const { browser, handle, page } = await signInPending()
    expect(await recordedSignIns(handle)).toEqual([['sign_in_pending', 'ok', 'new user']])
    const before = await countedSignIns()
    advanceClock(1)

    // Entries of the same second have no order.
    advanceClock(1)
    await submit(browser, page)
    advanceClock(1)
    await browser.signIn(handle)
    pin.isRequired = () => true
    advanceClock(1)
    await browser.signIn(handle)

    expect(await recordedSignIns(handle)).toEqual([
      ['sign_in_pending', 'ok', 'new user'],
      ['sign_in', 'ok', null],
      ['sign_in', 'ok', null],
      ['sign_in_pending', 'ok', null],
    ])
    expect(await countedSignIns()).toEqual({ count: before.count + 2, users: before.users })
  })

  it('is recorded as that of a new user, also if it cannot be opened, and else as a sign-in', async () => {
    stopClock()
    const before = await countedSignIns()
    const [unlucky, lucky] = [await createPlatformUser(), await createPlatformUser()]
    const broken = steppedService({ USERS: unreachable(env.TEST_STEPPED_USERS) })

    await new Browser(broken).signIn(unlucky)
    replaceTerms({ prepare: () => ({ bind: () => ({ first: async () => 1 }) }) } as never)
    await new Browser(service).signIn(lucky)

    expect(await recordedSignIns(unlucky)).toEqual([['sign_in_pending', 'ok', 'new user']])
    expect(await recordedSignIns(lucky)).toEqual([['sign_in', 'ok', 'new user']])
    expect(await countedSignIns()).toEqual({ count: before.count + 1, users: before.users + 2 })
  })

  it('has no copy in KV', async () => {
    const before = (await env.SESSIONS.list()).keys.length

    await signInPending()

    expect((await env.SESSIONS.list()).keys).toHaveLength(before)
  })

  it('expires after ten minutes', async () => {
    stopClock()
    const { browser } = await signInPending()

    advanceClock(601)

    expect(redirectUrl(await browser.get('/terms'), 303).pathname).toBe('/api/auth/signin')
  })

  it('neither ends nor lists sessions, however many there are', async () => {
    const { browser, handle, userId } = await signInAccepted()
    const sid = await browser.sid()
    pin.isRequired = () => true
    const pending: { open(): Promise<Response> }[] = []
    for (let count = 0; count < 205; count += 1) {
      const other = new Browser(service)
      const page = redirectUrl(await other.signIn(handle))
      pending.push({ open: () => other.get(page.href) })
    }

    expect(await browser.sid()).toBe(sid)
    expect((await pending[0]?.open())?.status).toBe(303)
    expect((await pending.at(-1)?.open())?.status).toBe(200)
    const html = await (await browser.get('/account')).text()
    expect(html.match(/Unknown browser/g)).toHaveLength(1)
    const object = env.TEST_STEPPED_USERS.get(env.TEST_STEPPED_USERS.idFromName(userId))
    const stored = await runInDurableObject(object, (_, { storage }) => [
      ...storage.kv.list({ prefix: 'session:' }),
    ])
    expect(stored).toHaveLength(201)
  })

  it('[S6] is not ended by sign-ins with an unconfirmed account, which makes no browser known', async () => {
    const stranger = strangersDeployment()
    const { laptop, handle } = await addAsStranger(stranger, 'credentials')
    const browser = stranger.open()
    await stranger.methods.credentials.signIn(browser)
    expect(await browser.session()).not.toBeNull()
    const former = await laptop.sid()
    pin.isRequired = () => true

    await laptop.signIn(handle, { prompt: 'login' })
    expect(pin.requests.at(-1)).toMatchObject({ isKnownBrowser: true })
    for (let count = 0; count < 205; count += 1) {
      await stranger.methods.credentials.signIn(browser)
    }
    expect(pin.requests.at(-1)).toMatchObject({ isKnownBrowser: false })
    await submit(laptop, '/pin', { pin: PIN })

    expect(await laptop.sid()).toBe(former)
    expect(decodeJwt((await laptop.session())?.token ?? '')).toMatchObject({ amr: ['pin', 'mfa'] })
  })

  it.each(['block', 'endAllSessions', 'endOtherSessions', 'deleteUserData'] as const)(
    'has ended after %s, and passes no step',
    async (end) => {
      const { handle, userId } = await signInAccepted()
      pin.isRequired = () => true
      const browser = new Browser(service)
      await browser.signIn(handle)
      const form = Object.fromEntries(hiddenFields(await (await browser.get('/pin')).text()))
      const object = env.TEST_STEPPED_USERS.get(env.TEST_STEPPED_USERS.idFromName(userId))

      await runInDurableObject(object, async (user: UserObject) => {
        await (end === 'deleteUserData' ? user.deleteUserData([]) : user[end](''))
      })
      await browser.post('/pin', { ...form, pin: PIN })

      expect(await browser.session()).toBeNull()
    },
  )

  it('continues at the page of its step instead of the sign-in page', async () => {
    const { browser } = await signInPending()

    const query = new URLSearchParams({ callbackUrl: 'https://shop.example/x' })
    const page = redirectUrl(await browser.get(`/api/auth/signin?${query}`), 303)

    expect(page.pathname).toBe('/terms')
    expect(await continueUrl(await submit(browser, page))).toBe('https://shop.example/x')
  })

  it('can be left for another sign-in', async () => {
    const { browser } = await signInPending()

    const response = await browser.get('/api/auth/signin?prompt=select_account')

    expect(response.status).toBe(200)
  })

  it('is opened once by a request that is sent twice', async () => {
    const { browser, page } = await signInPending()
    const html = await (await browser.get(page.href)).text()
    const form = Object.fromEntries(hiddenFields(html))

    const responses = await Promise.all(
      Array.from({ length: 20 }, () => {
        const copy = new Browser(service).withCookiesOf(browser)
        return copy.post(page.href, form).then(async ({ status }) => [status, await copy.session()])
      }),
    )

    expect(responses.filter(([, session]) => session !== null)).toHaveLength(1)
    // The other tabs continue on the sign-in page.
    expect(responses.filter(([status]) => Number(status) >= 400)).toEqual([])
  })
})

describe('steps', () => {
  it('are asked one after the other, and add what they prove', async () => {
    pin.isRequired = () => true
    const app = new RelyingApp('web', service)
    const browser = new Browser(service)
    const signIn = redirectUrl(
      await browser.get(await app.authorizationUrl({ provider: 'tiktok' })),
    )
    const authorization = redirectUrl(
      await browser.get(signIn.href, { 'Sec-Fetch-Mode': 'navigate' }),
    )
    const terms = redirectUrl(
      await browser.get(await browser.approve(authorization, await createPlatformUser())),
    )

    const second = await continueUrl(await submit(browser, terms))
    expect(new URL(second).pathname).toBe('/pin')
    const wrong = await submit(browser, second, { pin: '0000' })
    expect(await wrong.text()).toContain('Wrong PIN.')
    expect(await browser.session()).toBeNull()
    const continued = await continueUrl(await submit(browser, second, { pin: PIN }))
    const { id_token = '' } = await app.exchange(redirectUrl(await browser.get(continued), 303))

    expect(decodeJwt(id_token)).toMatchObject({ amr: ['pin', 'mfa'] })
    expect(decodeJwt((await browser.session())?.token ?? '')).toMatchObject({ amr: ['pin', 'mfa'] })
  })

  it('keep the button that a user of a native app has pressed', async () => {
    pin.isRequired = () => true
    const native = steppedService({ CLIENTS: clientsWith({ native: { first_party: true } }) })
    const app = new RelyingApp('native', native)
    const browser = new Browser(native)
    const signIn = redirectUrl(await browser.get(await app.authorizationUrl()), 303)
    const interaction = signIn.searchParams.get('interaction') ?? ''
    const query = new URLSearchParams({ interaction })
    const authorization = redirectUrl(
      await browser.get(`/api/auth/signin/tiktok?${query}`, {
        'Sec-Fetch-Site': 'same-origin',
        'Sec-Fetch-Mode': 'navigate',
      }),
    )
    const terms = redirectUrl(
      await browser.get(await browser.approve(authorization, await createPlatformUser())),
    )
    const second = await continueUrl(await submit(browser, terms))
    const continued = await continueUrl(await submit(browser, second, { pin: PIN }))

    expect(redirectUrl(await browser.get(continued), 303).searchParams.get('code')).toBeTruthy()
  })

  it('are all required, in whatever order they are passed', async () => {
    pin.isRequired = () => true
    const { browser } = await signInPending()

    const response = await submit(browser, '/pin', { pin: PIN })

    expect(new URL(await continueUrl(response)).pathname).toBe('/terms')
    expect(await browser.session()).toBeNull()
  })

  it('see how the user signs in, whether the browser is known, and the app', async () => {
    const { browser, handle } = await signInAccepted()
    await new Browser(service).signIn(handle, { callbackUrl: 'https://shop.example/x' })
    await browser.signIn(handle)

    expect(pin.requests.map(({ isKnownBrowser }) => isKnownBrowser)).toEqual([false, false, true])
    expect(pin.requests[1]).toMatchObject({
      user: { username: handle },
      signIn: { provider: 'tiktok', level: 'silent', amr: [] },
      client: { client_id: 'shop' },
    })
  })

  it('[S6] see no methods of an unconfirmed account', async () => {
    const stranger = strangersDeployment()
    await addAsStranger(stranger, 'passkey')
    pin.isRequired = ({ signIn }) => !signIn.amr.includes('mfa')
    const browser = stranger.open()

    await stranger.methods.passkey.signIn(browser)

    expect(await browser.session()).toBeNull()
    expect(pin.requests.at(-1)?.signIn).toMatchObject({ level: 'unconfirmed', amr: [] })
  })

  it('see the network and the country of the request', async () => {
    pin.isRequired = () => true
    const browser = new Browser((request) => {
      const headers = new Headers(request.headers)
      headers.set('CF-Connecting-IP', '203.0.113.7')
      return service(new Request(request, { headers, cf: { country: 'NL' } as CfProperties }))
    })

    const { page } = await signInPending(undefined, browser)
    const pinPage = await continueUrl(await submit(browser, page))

    expect(pin.requests.at(-1)).toMatchObject({ country: 'NL', network: '203.0.113.0/24' })
    expect(await (await browser.get(pinPage)).text()).toContain('Enter your PIN. (NL)')
  })

  it('can prove that the user is present, unless the account is unconfirmed', async () => {
    const stranger = strangersDeployment()
    await addAsStranger(stranger, 'passkey')
    pin.level = 'proved'
    pin.isRequired = () => true
    const browser = new Browser(service)
    await submit(browser, redirectUrl(await browser.signIn(await createPlatformUser())), {
      pin: PIN,
    })
    const unconfirmed = stranger.open()
    await stranger.methods.passkey.signIn(unconfirmed)
    await submit(unconfirmed, '/pin', { pin: PIN })
    pin.requests = []

    await new RelyingApp('shop', service).callbackFor(browser)
    await new RelyingApp('shop').callbackFor(unconfirmed)

    const levels = pin.requests.map(({ signIn }) => signIn.level)
    expect(levels).toEqual(['proved', 'unconfirmed'])
  })

  it('that depend on the app are asked at its request only, and not at that of another one', async () => {
    const { browser } = await signInAccepted()
    pin.isRequired = ({ client }) => client?.client_id === 'web'
    const [web, shop] = [new RelyingApp('web', service), new RelyingApp('shop', service)]

    expect((await shop.callbackFor(browser)).searchParams.get('code')).toBeTruthy()
    const silent = await web.callbackFor(browser, { prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('interaction_required')
    const page = await web.callbackFor(browser)
    expect(page.pathname).toBe('/pin')
    const sid = decodeJwt((await browser.session())?.token ?? '')['sid']
    const continued = await continueUrl(await submit(browser, page, { pin: PIN }))
    const { id_token = '' } = await web.exchange(redirectUrl(await browser.get(continued), 303))

    expect(decodeJwt(id_token)).toMatchObject({ amr: ['pin', 'mfa'], sid })
  })

  it.each<[string, (signedIn: { browser: Browser; userId: string }) => Promise<URL>]>([
    [
      'that is pending since the step was listed',
      async ({ browser, userId }) => {
        await forgetSteps(userId)
        return redirectUrl(await browser.get('/api/auth/signin', OWN_PAGE), 303)
      },
    ],
    [
      'of which an app requires the step',
      ({ browser }) => new RelyingApp('web', service).callbackFor(browser),
    ],
  ])('[S1] whose page needs a recent sign-in need one in an older session %s', async (_, ask) => {
    stopClock()
    const signedIn = await signInAccepted()
    const { browser, handle } = signedIn
    Object.assign(pin, { path: '/pin/choose', isRequired: () => true })
    const form = hiddenFields(await (await browser.get('/pin/choose')).text())
    advanceClock(601)

    const page = await ask(signedIn)
    expect(page.pathname).toBe('/pin/choose')
    const shown = redirectUrl(await browser.get(page.href), 303)
    const sent = redirectUrl(await browser.post(page.href, Object.fromEntries(form)), 303)

    const interaction = page.searchParams.get('interaction')
    for (const { pathname, search } of [shown, sent]) {
      expect(pathname + search).toBe(`/api/auth/signin?interaction=${interaction}&prompt=login`)
    }
    const again = redirectUrl(await browser.signIn(handle, { prompt: 'login' }))
    expect(again.pathname).toBe('/pin/choose')
    await submit(browser, again)
    expect(decodeJwt((await browser.session())?.token ?? '')).toMatchObject({ amr: ['pin', 'mfa'] })
  })

  it('that depend on the app are asked at the session endpoint, too, and on the sign-in page', async () => {
    const { browser } = await signInAccepted()
    pin.isRequired = ({ client }) => client?.client_id === 'web'
    const session = (query: string, headers?: Record<string, string>) =>
      browser.json<{ token?: string } | null>(`/api/auth/session?${query}`, headers)
    const WEB = { Origin: 'https://web.example', 'Sec-Fetch-Site': 'same-site' }

    expect(await session('client_id=web')).toBeNull()
    expect(await session('client_id=web&token=false')).toBeNull()
    expect(await session('', WEB)).toBeNull()
    expect(await session('client_id=shop')).toHaveProperty('token')
    expect(await session('')).toHaveProperty('token')
    const callbackUrl = 'https://web.example/cart'
    const query = new URLSearchParams({ callbackUrl })
    const page = redirectUrl(await browser.get(`/api/auth/signin?${query}`, OWN_PAGE), 303)
    expect(page.pathname).toBe('/pin')
    expect(await continueUrl(await submit(browser, page, { pin: PIN }))).toBe(callbackUrl)
    const { token = '' } = (await session('client_id=web')) ?? {}

    expect(decodeJwt(token)).toMatchObject({ aud: 'web', amr: ['pin', 'mfa'] })
  })

  it('that are new leave refresh tokens valid, and continue the session with its id', async () => {
    const { browser, userId } = await signInAccepted()
    const app = new RelyingApp('web', service)
    const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    const sid = decodeJwt((await browser.session())?.token ?? '')['sid']

    await forgetSteps(userId)

    expect(await browser.json('/api/auth/session?token=false')).toBeNull()
    expect(await browser.session()).toBeNull()
    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
    // The user has accepted the terms before, so nothing is asked.
    await browser.get('/api/auth/signin', { 'Sec-Fetch-Mode': 'navigate' })
    expect(decodeJwt((await browser.session())?.token ?? '')['sid']).toBe(sid)
  })

  it('end the grants from before them only if they say so', async () => {
    const { browser, userId } = await signInAccepted()
    const app = new RelyingApp('web', service)
    const { refresh_token: newer = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    const object = env.TEST_STEPPED_USERS.get(env.TEST_STEPPED_USERS.idFromName(userId))
    const older = new RelyingApp('web', service)
    const { refresh_token: former = '' } = await older.tokens(browser, OFFLINE_ACCESS)
    await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec(
        "UPDATE grants SET terms = json_remove(terms, '$.steps') WHERE rowid = (SELECT max(rowid) FROM grants)",
      ),
    )
    const { refresh_token: kept = '' } = await older.refresh(former)

    pin.endsGrants = true

    await expect(older.refresh(kept)).rejects.toMatchObject({ error: 'invalid_grant' })
    pin.endsGrants = false
    await expect(older.refresh(kept)).rejects.toMatchObject({ error: 'invalid_grant' })
    pin.endsGrants = true
    expect((await app.refresh(newer)).access_token).toBeTruthy()
  })

  it('[K11] that are new let no other user replace the session, unless the user wants that', async () => {
    const { browser, userId } = await signInAccepted()
    const app = new RelyingApp('web', service)
    const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    await forgetSteps(userId)

    const response = await browser.signIn(await createPlatformUser())

    expect([response.status, browser.cookieNames('pending')]).toEqual([409, []])
    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
    const chosen = await browser.signIn(await createPlatformUser(), { prompt: 'select_account' })
    expect(redirectUrl(chosen).pathname).toBe('/terms')
  })

  it('that end grants leave servers no session, which ask whether their refresh token is valid', async () => {
    const { browser, userId } = await signInAccepted()
    const { refresh_token: token = '' } = await new RelyingApp('web', service).tokens(
      browser,
      OFFLINE_ACCESS,
    )
    const introspect = async () => {
      const response = await service(formRequest('/oidc/introspect', { token }, basic('web')))
      return (await response.json<{ active: boolean }>()).active
    }
    pin.endsGrants = true
    expect(await introspect()).toBe(true)

    const object = env.TEST_STEPPED_USERS.get(env.TEST_STEPPED_USERS.idFromName(userId))
    await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec("UPDATE grants SET terms = json_remove(terms, '$.steps')"),
    )

    expect(await introspect()).toBe(false)
    pin.endsGrants = false
    expect(await introspect()).toBe(true)
  })

  it('that fail mean that nothing is issued', async () => {
    const { browser, handle } = await signInAccepted()
    const app = new RelyingApp('web', service)
    pin.isRequired = () => {
      throw new UnavailableError('The database of the step does not respond.')
    }

    const other = new Browser(service)
    const signIn = await other.signIn(handle)
    const request = await browser.get(await app.authorizationUrl())
    const silent = await browser.get(await app.authorizationUrl({ prompt: 'none' }))

    expect([signIn.status, request.status, silent.status]).toEqual([503, 503, 503])
    expect([await other.session(), other.cookieNames('pending')]).toEqual([null, []])
  })

  it('that lead to a page that does not exist are an error', async () => {
    const { handle } = await signInAccepted()
    pin.isRequired = () => true
    pin.path = '/pni'

    await expect(new Browser(service).signIn(handle)).rejects.toThrow(
      '/pni is not a page of the feature pin with isStep.',
    )
  })

  it('need no storage call when a session is checked', async () => {
    const { browser } = await signInAccepted()
    const calls: string[] = []
    replaceTerms(
      new Proxy(env.DIRECTORY, {
        get(target, name) {
          calls.push(String(name))
          return Reflect.get(target, name)
        },
      }),
    )
    const observed = new Browser(service).withCookiesOf(browser)
    pin.requests = []

    expect(await observed.session()).not.toBeNull()
    await observed.get('/account')

    expect([calls, pin.requests]).toEqual([[], []])
  })
})
