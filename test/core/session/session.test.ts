import {
  createExecutionContext,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import {
  Browser,
  LOGIN,
  logLines,
  SHOP,
  serviceWith,
  standIn,
  USER_INFO_PATH,
} from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { app, readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import {
  forbidden,
  recordCalls,
  repeatDuringAlarm,
  sessionCacheWith,
  unreachable,
  userObject,
} from '../../storage.ts'
import { signedIn } from '../oidc/relying-app.ts'

const COOKIE = '__Host-vestibule.session'

/** Describes the user without issuing a token, from the copy in KV if there is one. */
const COPY = '/api/auth/session?token=false'

const fail = () => Promise.reject(new Error('KV is down'))

async function deleteCopies(): Promise<void> {
  for (const { name } of (await env.SESSIONS.list()).keys) await env.SESSIONS.delete(name)
}

/** Reads all copies in KV, and returns a function that writes them back. */
async function saveCopies(): Promise<() => Promise<void>> {
  const { keys } = await env.SESSIONS.list()
  const copies = await Promise.all(
    keys.map(async ({ name }) => [name, await env.SESSIONS.get(name)] as const),
  )
  return async () => {
    for (const [name, copy] of copies) await env.SESSIONS.put(name, copy ?? '')
  }
}

describe('GET /api/auth/session', () => {
  it('[L11] returns null when not signed in, and the response is not cached', async () => {
    const response = await new Browser().get('/api/auth/session')

    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Vary')).toBe('Cookie, Origin')
  })

  it('returns the user, the expiry and a token that jose verifies with default settings', async () => {
    const browser = await signedIn()

    const session = await browser.session()

    const jwks = createRemoteJWKSet(new URL(`${LOGIN}/.well-known/jwks.json`), {
      [customFetch]: (url: string) => browser.get(url),
    })
    const { payload } = await jwtVerify(session?.token ?? '', jwks, {
      issuer: LOGIN,
      audience: LOGIN,
    })
    expect(payload).toEqual({
      iss: LOGIN,
      sub: session?.user.id,
      aud: LOGIN,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 300,
      auth_time: expect.any(Number),
      acr: 'federated',
      sid: expect.stringMatching(/^ses_/),
      token_use: 'session',
      name: 'Mia Lindqvist',
      preferred_username: 'mia',
      picture: session?.user.image,
      profile: session?.user.url,
    })
    expect(Date.parse(session?.expires ?? '') - Date.now()).toBeGreaterThan(6.9 * DAY * 1000)
  })

  it('shows users who open it their id, with which the first administrator is added', async () => {
    const { browser, userId } = await signInNewUser()
    const headers = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none', Accept: 'text/html' }

    const response = await browser.get('/api/auth/session', headers)

    expect(await response.json()).toMatchObject({ user: { id: userId } })
  })

  it('[E6] identifies users by our own id, never by the id of the platform', async () => {
    const browser = await signedIn()
    const account = await env.DIRECTORY.prepare(
      'SELECT provider_account_id AS id FROM accounts LIMIT 1',
    ).first<{ id: string }>()

    const session = await browser.session()

    expect(JSON.stringify(session)).not.toContain(account?.id)
    expect(session?.user.id).toMatch(/^usr_[\w-]{22}$/)
  })

  it('[L15] issues the token for the app that requests it', async () => {
    const browser = await signedIn()

    const fromShop = await browser.session({ Origin: SHOP })
    const named = await browser.json<{ token: string }>('/api/auth/session?client_id=blog')

    expect(decodeJwt(fromShop?.token ?? '').aud).toBe('shop')
    expect(decodeJwt(named.token).aud).toBe('blog')
    expect(decodeProtectedHeader(named.token)).toEqual({
      alg: 'ES256',
      typ: 'JWT',
      kid: expect.any(String),
    })
  })

  it.each([
    ['/api/auth/session?client_id=unknown', {}, 400],
    ['/api/auth/session?client_id=blog', { Origin: SHOP }, 403],
    ['/api/auth/session?client_id=shop&client_id=blog', {}, 400],
    ['/api/auth/session?token=maybe', {}, 400],
  ])('rejects %s with %o', async (path, headers, status) => {
    const browser = await signedIn()

    const response = await browser.get(path, headers)

    expect(response.status).toBe(status)
    expect(await response.text()).not.toContain('eyJ')
  })

  it.each([
    [
      '/api/auth/session?client_id=shpo',
      { Origin: SHOP },
      `No client has this client_id. The client_id for ${SHOP} is shop.`,
    ],
    [
      '/api/auth/session?client_id=blog',
      { Origin: SHOP },
      `The client blog has no redirect URI at ${SHOP}. The client_id for ${SHOP} is shop.`,
    ],
    [
      '/api/auth/session',
      { Origin: SHOP, 'Sec-Fetch-Site': 'cross-site' },
      expect.stringContaining('is on another site'),
    ],
    ['/api/auth/session', { Origin: SHOP, 'Sec-Fetch-Site': 'same-site' }, null],
    ['/api/auth/session?client_id=shpo', {}, null],
    ['/api/auth/session?client_id=shpo', { Origin: 'https://evil.example' }, null],
  ])('tells a first-party app what it needs: %s with %o', async (path, headers, hint) => {
    const response = await new Browser().get(path, headers)

    expect(response.headers.get('Vestibule-Hint')).toEqual(hint)
    if (hint === null) return
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
    expect(response.headers.get('Access-Control-Expose-Headers')).toBe('Vestibule-Hint')
  })

  it('[L2] has a new id after every sign-in, never one that the browser already had', async () => {
    const browser = new Browser()
    browser.cookies.set(COOKIE, 'planted-by-an-attacker')
    await browser.signIn('mia')
    const first = browser.cookies.get(COOKIE)
    const firstCookies = browser.cookieHeader()

    await browser.signIn('mia')

    expect(first).not.toBe('planted-by-an-attacker')
    expect(browser.cookies.get(COOKIE)).not.toBe(first)
    expect(await new Browser().session({ ...firstCookies })).toBeNull()
    expect(await browser.session()).not.toBeNull()
  })

  it('[L3] rejects a forged cookie before any storage is read', async () => {
    const kv = recordCalls(env.SESSIONS)
    const users = recordCalls(env.USERS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.recorded, USERS: users.recorded }))
    await browser.signIn('mia')
    const real = browser.cookies.get(COOKIE) ?? ''
    kv.calls.length = 0
    users.calls.length = 0

    const forgeries = fc.oneof(
      fc.base64String({ maxLength: 200 }),
      fc.string({ maxLength: 50 }).filter((text) => !/[;\s]/.test(text) && isHeaderValue(text)),
      fc.nat({ max: real.length - 1 }).map((at) => change(real, at)),
      fc.nat({ max: real.length - 1 }).map((length) => real.slice(0, length)),
    )
    await fc.assert(
      fc.asyncProperty(forgeries, async (forgery) => {
        expect(await browser.session({ Cookie: `${COOKIE}=${forgery}` })).toBeNull()
      }),
      { numRuns: 200 },
    )
    expect([...kv.calls, ...users.calls]).toEqual([])
  })

  it('[L3] stores only the digest of the cookie', async () => {
    const browser = await signedIn()
    const session = await browser.session()

    const { keys } = await env.SESSIONS.list()
    const records = await runInDurableObject(userObject(session?.user.id), (_, { storage }) => [
      ...storage.kv.list({ prefix: 'session:' }),
    ])

    for (const { name } of keys) expect(name).toMatch(/^s:[\w-]{43}$/)
    expect(
      records.map(([key]) => keys.some(({ name }) => `session:${name.slice(2)}` === key)),
    ).toContain(true)
    expect(JSON.stringify(records)).not.toContain(browser.cookies.get(COOKIE))
  })

  it('[L4][Q13] returns null for a session that was idle for seven days, even if cookie and copy exist', async () => {
    const browser = await signedIn()

    advanceClock(7 * DAY + 1)

    expect(await browser.session()).toBeNull()
  })

  it('[L4] returns null for a session that is thirty days old, even if it is in use', async () => {
    const browser = await signedIn()
    const cookies = browser.cookieHeader()

    for (let day = 1; day < 30; day++) {
      advanceClock(DAY)
      expect(await browser.session()).not.toBeNull()
    }
    advanceClock(DAY + 1)

    expect(await browser.session({ ...cookies })).toBeNull()
  })

  it('[L4] is not read at all after thirty days, although a cookie of version 0.2.0 is', async () => {
    const browser = await signedIn()
    const cookies = browser.cookieHeader()
    const { seal } = readConfig(env)
    const value = (await seal.open('session', '', browser.cookies.get(COOKIE) ?? '')) ?? ''
    const [former] = /^[^.]+\.[^.]+/.exec(value) ?? []
    const Cookie = `${COOKIE}=${await seal.seal('session', '', former ?? '')}`
    const storage = { USERS: forbidden('USERS'), SESSIONS: forbidden('SESSIONS') }
    expect(await new Browser().session({ Cookie })).not.toBeNull()

    advanceClock(30 * DAY)
    const response = await new Browser(serviceWith(storage)).get('/api/auth/session', cookies)

    expect(await response.json()).toBeNull()
  })

  it('[L5] writes no copy of a session that is about to end, because KV would reject it', async () => {
    const kv = recordCalls(env.SESSIONS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.recorded }))
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()
    for (let day = 1; day < 30; day++) {
      advanceClock(DAY)
      await browser.session()
    }
    await deleteCopies()
    const countWrites = () => kv.calls.filter((call) => call === 'put').length
    const before = countWrites()

    advanceClock(DAY - 30)

    expect(await browser.session({ ...cookies })).not.toBeNull()
    expect(await browser.json(COPY)).not.toBeNull()
    expect(countWrites()).toBe(before)
  })

  it('[L6] writes nothing for a hundred reads, and a sign-in writes to KV once', async () => {
    const kv = recordCalls(env.SESSIONS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.recorded }))
    await browser.signIn('mia')
    expect(kv.calls.filter((call) => call !== 'get')).toEqual(['put'])

    for (let read = 0; read < 50; read++) {
      await browser.session()
      await browser.json(COPY)
    }

    expect(kv.calls.filter((call) => call !== 'get')).toEqual(['put'])
  })

  it('[L6] extends a session in use once a day', async () => {
    const kv = recordCalls(env.SESSIONS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.recorded }))
    await browser.signIn('mia')
    const before = await browser.session()
    advanceClock(1.5 * DAY)

    const after = await browser.session()
    await browser.session()

    expect(Date.parse(after?.expires ?? '')).toBeGreaterThan(
      Date.parse(before?.expires ?? '') + DAY * 1000,
    )
    expect(kv.calls.filter((call) => call === 'put')).toHaveLength(2)
  })

  it('[L7][O3] accepts a cookie sealed with the previous secret as long as that is configured', async () => {
    const browser = await signedIn()
    const attempt = await browser.start()
    const callback = await browser.approve(attempt, 'mia')
    const changed = {
      AUTH_SECRET: 'Zk9wQ2xV4bN7mT1yR5uE8oI3pA6sD0fG',
      AUTH_SECRET_1: env.AUTH_SECRET,
    }

    const withBothSecrets = new Browser(serviceWith(changed)).withCookiesOf(browser)
    const withNewSecret = new Browser(serviceWith({ AUTH_SECRET: changed.AUTH_SECRET }))

    expect(await withBothSecrets.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
    expect((await withBothSecrets.get(callback)).status).toBe(302)
    expect(await withNewSecret.session({ ...browser.cookieHeader() })).toBeNull()
    const withLeakedSecret = {
      ...changed,
      AUTH_SECRET_1: undefined,
      AUTH_SECRET_LEAKED: env.AUTH_SECRET,
    }
    const leaked = new Browser(serviceWith(withLeakedSecret))
    expect(await leaked.session({ ...browser.cookieHeader() })).toBeNull()
  })

  it('[L8] needs a small cookie only, however large the profile is', async () => {
    const browser = new Browser()

    await browser.signIn('lena')

    expect(browser.cookies.get(COOKIE)?.length).toBeLessThan(200)
    expect(await browser.session()).toMatchObject({ user: { name: 'Lena Vogt' } })
  })

  it('[L9] returns null when the cookie is sent twice', async () => {
    const browser = await signedIn()
    const real = browser.cookies.get(COOKIE)

    for (const cookies of [
      `${COOKIE}=x; ${COOKIE}=${real}`,
      `${COOKIE}=${real}; ${COOKIE}=${real}`,
      `${COOKIE}=${real}; ${COOKIE}=a\\b`,
      `${COOKIE}=${real};\t${COOKIE} =x`,
    ]) {
      expect(await browser.session({ Cookie: cookies })).toBeNull()
    }
  })

  it('[L9] ignores malformed cookies', async () => {
    const browser = await signedIn()
    const real = `${COOKIE}=${browser.cookies.get(COOKIE)}`

    for (const malformed of [
      'a=b=c',
      '%ZZ',
      '=',
      ';;;',
      'a="b; c"',
      '__proto__=1',
      'x'.repeat(3000),
      Array(300).fill('a=b').join('; '),
    ]) {
      expect(await browser.session({ Cookie: `${malformed}; ${real}` })).not.toBeNull()
    }
  })

  it('[L10] requires the __Host- prefix, which other hosts of our domain cannot set', async () => {
    const browser = await signedIn()
    const value = browser.cookies.get(COOKIE)

    expect(await browser.session({ Cookie: `vestibule.session=${value}` })).toBeNull()
  })

  it.each(['\u00a0', '\u2003', '\ufeff', '\u3000'])(
    '[L10] ignores a cookie whose name starts with %j, which browsers do not protect as __Host-',
    async (space) => {
      const attacker = new Browser()
      await attacker.signIn('noah')
      const planted = `${space}${COOKIE}=${attacker.cookies.get(COOKIE)}`
      // Such a header arrives as UTF-8, which the constructor of Request does not accept.
      const request = new Request(`${LOGIN}/api/auth/session`)
      const readHeader = request.headers.get.bind(request.headers)
      Object.defineProperty(request.headers, 'get', {
        value: (name: string) => (name.toLowerCase() === 'cookie' ? planted : readHeader(name)),
      })

      const response = await serviceWith({})(request)

      expect(await response.json()).toBeNull()
    },
  )

  it('[L2] does not clear the new cookie in a late response to the old one', async () => {
    const browser = await signedIn()
    const before = browser.cookieHeader()
    await browser.signIn('mia')

    const late = await browser.get('/api/auth/session', { ...before })

    expect(await late.json()).toBeNull()
    expect(late.headers.getSetCookie()).toEqual([])
    expect(await browser.session()).not.toBeNull()
  })

  it('[J12] ignores a stale copy of an ended session after an hour at the latest', async () => {
    const browser = await signedIn()
    const cookies = browser.cookieHeader()
    const restoreCopies = await saveCopies()
    await browser.post('/api/auth/signout', {})
    await restoreCopies()

    advanceClock(HOUR + 1)

    expect(await new Browser().json(COPY, { ...cookies })).toBeNull()
  })

  it('[J12] ignores a stale copy of an ended session from the next request for a token on', async () => {
    const browser = new Browser(serviceWith({}))
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()
    const restoreCopies = await saveCopies()
    await browser.post('/api/auth/signout', {})
    await restoreCopies()
    const other = new Browser(serviceWith({}))
    expect(await other.json(COPY, { ...cookies })).not.toBeNull()

    expect(await other.session({ ...cookies })).toBeNull()

    expect(await other.json(COPY, { ...cookies })).toBeNull()
  })

  it('[J12] deletes the copy of a session that a new sign-in in its browser has replaced', async () => {
    const browser = new Browser(serviceWith({}))
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()

    await browser.signIn('mia', { prompt: 'login' })

    expect(await browser.json(COPY, { ...cookies })).toBeNull()
  })

  it('[L4] expires no later than the session, however long it could still be unused', async () => {
    const start = stopClock()
    const browser = await signedIn()
    for (let day = 0; day < 28; day++) {
      advanceClock(DAY)
      await browser.session()
    }

    const session = await browser.session()

    expect(Date.parse(session?.expires ?? '')).toBe((start + 30 * DAY) * 1000)
  })

  it('[E4][CVE-2023-48309] accepts neither another cookie of ours nor a token as a session', async () => {
    const browser = await signedIn()
    const token = (await browser.session())?.token
    await browser.start()
    await browser.json('/api/auth/csrf')
    const [attempt = ''] = browser.cookieNames('attempt.')
    const others = [
      browser.cookies.get(attempt),
      browser.cookies.get('__Host-vestibule.csrf'),
      token,
    ]

    for (const other of others) {
      expect(other).toBeDefined()
      expect(await browser.session({ Cookie: `${COOKIE}=${other}` })).toBeNull()
    }
  })

  it('[L13] returns null until a sign-in is complete', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')

    expect(await browser.session()).toBeNull()
    await standIn.fault({ path: USER_INFO_PATH, kind: 'missing-data' })
    await browser.get(callback)
    expect(await browser.session()).toBeNull()
  })

  it('[Q10] keeps the hundred newest sessions of a user', {
    timeout: 60_000,
  }, async () => {
    const first = new Browser()
    await first.signIn('uma')
    const { user } = (await first.session()) ?? {}
    const object = userObject(user?.id)
    for (let other = 1; other <= 100; other++) {
      await object.openSession({
        secretDigest: `k${other}`,
        sid: 's',
        attempt: `a${other}`,
        claimedAt: 0,
        level: 'silent',
        user: user as never,
      })
    }

    expect(await first.session()).toBeNull()
    expect(await object.readSession('k1')).toBeDefined()
  })
})

describe('a session when storage fails', () => {
  it('[Q3] is read from the object when its copy is missing, which is then written again', async () => {
    const browser = await signedIn()
    await deleteCopies()

    expect(await browser.json(COPY)).toMatchObject({
      user: { name: 'Mia Lindqvist' },
    })
    await vi.waitFor(async () => expect((await env.SESSIONS.list()).keys).toHaveLength(1))
  })

  it('[Q3] is read from the object when KV does not return a new copy yet', async () => {
    const stale = sessionCacheWith({ get: (() => Promise.resolve(null)) as never })
    const browser = new Browser(serviceWith({ SESSIONS: stale }))

    await browser.signIn('mia')

    expect(await browser.session()).not.toBeNull()
    expect(await browser.json(COPY)).not.toBeNull()
  })

  it('is opened without waiting for KV', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const deployment = { ...env, SESSIONS: sessionCacheWith({ put: () => promise }) }
    const browser = new Browser(async (request) => {
      const ctx = createExecutionContext()
      const response = await app.fetch(request, deployment, ctx)
      if (request.url.includes('/callback/')) resolve()
      await waitOnExecutionContext(ctx)
      return response
    })

    expect((await browser.signIn('mia')).status).toBe(302)
    await promise
  })

  it('[Q4] works while KV cannot be written', async () => {
    const browser = new Browser(serviceWith({ SESSIONS: sessionCacheWith({ put: fail as never }) }))

    const response = await browser.signIn('mia')

    expect(response.status).toBe(302)
    expect(await browser.session()).not.toBeNull()
    expect(await browser.json(COPY)).not.toBeNull()
    const events = logLines
      .filter((line) => line.includes(response.headers.get('X-Request-Id') ?? ''))
      .map((line) => JSON.parse(line).event)
    expect(events.toSorted()).toEqual(['session_copy_failed', 'signin'])
  })

  it('[Q5] works while KV is down, and causes a 503 while the object is down as well', async () => {
    const kvDown = sessionCacheWith({
      get: fail as never,
      put: fail as never,
      delete: fail as never,
    })
    const browser = new Browser(serviceWith({ SESSIONS: kvDown }))
    await browser.signIn('mia')
    expect(await browser.json(COPY)).not.toBeNull()

    const allDown = new Browser(serviceWith({ SESSIONS: kvDown, USERS: unreachable(env.USERS) }))
    const response = await allDown.get(COPY, {
      ...browser.cookieHeader(),
    })

    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('10')
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('[Q6] issues no token while the object is down, but still describes the user', async () => {
    const browser = await signedIn()
    const objectsDown = new Browser(serviceWith({ USERS: unreachable(env.USERS) }))
    const cookies = browser.cookieHeader()

    expect((await objectsDown.get('/api/auth/session', { ...cookies })).status).toBe(503)
    expect(await objectsDown.json(COPY, { ...cookies })).toMatchObject({
      user: { name: 'Mia Lindqvist' },
    })
    expect((await objectsDown.post('/api/auth/signout', {}, { ...cookies })).status).toBe(503)
    expect(await browser.session()).not.toBeNull()
  })

  it('[Q6][Q7] leaves no cookie and no copy when the object fails during a sign-in', async () => {
    const kv = recordCalls(env.SESSIONS)
    const browser = new Browser(
      serviceWith({ USERS: unreachable(env.USERS), SESSIONS: kv.recorded }),
    )

    const response = await browser.signIn('mia')

    expect(response.status).toBe(503)
    expect(browser.cookies.has(COOKIE)).toBe(false)
    expect(kv.calls).toEqual([])
  })

  it('[Q7] is written to the object first, then to KV, before the response', async () => {
    const order: string[] = []
    const kv = sessionCacheWith({
      put: (async (...input: Parameters<KVNamespace['put']>) => {
        order.push('copy')
        await env.SESSIONS.put(...input)
      }) as never,
    })
    const users = new Proxy(env.USERS, {
      get: (target, name) =>
        name === 'get'
          ? (id: DurableObjectId) => ({
              openSession: async (opening: never) => {
                const session = await target.get(id).openSession(opening)
                order.push('object')
                return session
              },
            })
          : Reflect.get(target, name).bind(target),
    })

    await new Browser(serviceWith({ SESSIONS: kv, USERS: users })).signIn('mia')

    expect(order).toEqual(['object', 'copy'])
  })

  it('[Q10] leaves nothing in the object once all sessions have ended', async () => {
    const { browser, handle, userId } = await signInNewUser()
    const object = userObject(userId)
    advanceClock(8 * DAY)

    expect(await runDurableObjectAlarm(object)).toBe(true)

    await runInDurableObject(object, async (_, { storage }) => {
      expect([...storage.sql.exec('SELECT name FROM sqlite_master')]).toEqual([])
      expect([...storage.kv.list()]).toEqual([])
      expect(await storage.getAlarm()).toBeNull()
    })
    vi.useRealTimers()
    await browser.signIn(handle)
    expect(await browser.session()).not.toBeNull()
  })

  it('[Q10] leaves only the used attempt after a sign-out, until the attempt has expired', async () => {
    const { browser, userId } = await signInNewUser()
    const object = userObject(userId)
    const listKeys = () =>
      runInDurableObject(object, (_, { storage }) =>
        Array.from(storage.kv.list(), ([key]) => key.replace(/:.*/, '')),
      )
    await browser.post('/api/auth/signout', {})

    advanceClock(10 * MINUTE)
    await runInDurableObject(object, (instance) => instance.alarm())
    expect(await listKeys()).toContain('attempt')
    advanceClock(2 * MINUTE)
    expect(await runDurableObjectAlarm(object)).toBe(true)

    expect(await listKeys()).toEqual([])
    await runInDurableObject(object, async (_, { storage }) =>
      expect(await storage.getAlarm()).toBeNull(),
    )
  })

  it('[Q10] is not found, without an error, while the object deletes its storage', async () => {
    const { userId } = await signInNewUser()
    advanceClock(8 * DAY)

    await runInDurableObject(userObject(userId), (instance) =>
      repeatDuringAlarm(instance, () => {
        expect(instance.readSession('any digest')).toBeUndefined()
        expect(instance.readGrant('any id')).toBeUndefined()
      }),
    )
  })
})

describe('POST /api/auth/signout', () => {
  it('ends the session, clears the cookie and continues at the return address', async () => {
    const browser = await signedIn()
    const cookies = browser.cookieHeader()

    const response = await browser.post('/api/auth/signout', { callbackUrl: `${SHOP}/bye` })

    expect(await continueUrl(response)).toBe(`${SHOP}/bye`)
    expect(browser.cookies.has(COOKIE)).toBe(false)
    expect(await new Browser().session({ ...cookies })).toBeNull()
  })

  it('is effective at once for tokens, even if a stale copy remains', async () => {
    const browser = await signedIn()
    const cookies = browser.cookieHeader()
    const restoreCopies = await saveCopies()

    await browser.post('/api/auth/signout', {})
    await restoreCopies()

    expect(await new Browser().session({ ...cookies })).toBeNull()
    expect((await new Browser().get('/api/auth/signin/tiktok', { ...cookies })).status).toBe(302)
  })

  it('[K11] lets another user sign in afterwards, even if a stale copy remains', async () => {
    const browser = await signedIn()
    const otherBrowser = await signedIn()
    const restoreCopies = await saveCopies()
    await otherBrowser.post('/account/sessions', { sid: 'others' })
    await restoreCopies()

    await browser.signIn('noah')

    expect(await browser.session()).toMatchObject({ user: { name: 'Noah Adeyemi' } })
  })

  it('ends the session even if its copy cannot be deleted', async () => {
    const browser = new Browser(
      serviceWith({ SESSIONS: sessionCacheWith({ delete: fail as never }) }),
    )
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()

    expect((await browser.post('/api/auth/signout', {})).status).toBe(200)
    expect(await browser.session({ ...cookies })).toBeNull()
  })

  it('shows the signed-out page when not signed in', async () => {
    const response = await new Browser().post('/api/auth/signout', {})

    expect(response.status).toBe(200)
    expect(await response.text()).toContain('You are signed out')
  })

  it('returns the return address to a script as JSON', async () => {
    const browser = await signedIn()

    const response = await browser.post(
      '/api/auth/signout',
      { callbackUrl: `${SHOP}/` },
      { Accept: '*/*', Origin: SHOP, 'Sec-Fetch-Site': 'same-site' },
    )

    expect(await response.json()).toEqual({ url: `${SHOP}/` })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  })
})

describe('GET /api/auth/signout', () => {
  it('shows the signed-out page when not signed in', async () => {
    const response = await new Browser().get('/api/auth/signout')

    expect(await response.text()).toContain('You are signed out')
  })

  it('requires confirmation and changes nothing', async () => {
    const browser = await signedIn()

    const response = await browser.get(`/api/auth/signout?callbackUrl=${SHOP}/bye`)

    const page = await response.text()
    expect(page).toContain('id="confirm-logout"')
    expect(page).toContain(`value="${SHOP}/bye"`)
    expect(await browser.session()).not.toBeNull()
  })
})

/** Changes one character. */
function change(text: string, at: number): string {
  // The last character of base64url may have unused bits, so that a change has no effect.
  const index = Math.min(at, text.length - 2)
  return text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1)
}

function isHeaderValue(text: string): boolean {
  try {
    new Headers({ Cookie: text })
    return true
  } catch {
    return false
  }
}
