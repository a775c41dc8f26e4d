import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, SHOP, serviceWith, standIn } from './browser.ts'

const DAY = 24 * 3600 * 1000
const COOKIE = '__Host-vestibule.session'

/** Counts what a binding is asked. */
function counting<T extends object>(binding: T) {
  const calls: string[] = []
  const counted = new Proxy(binding, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) => {
        calls.push(String(name))
        return Reflect.apply(member, target, input)
      }
    },
  })
  return { calls, counted }
}

/** KV with some of its methods replaced. */
function kvWith(changes: Partial<KVNamespace>): KVNamespace {
  return new Proxy(env.SESSIONS, {
    get: (target, name) => {
      const member = Reflect.get(changes, name) ?? Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

const down = () => Promise.reject(new Error('KV is down'))

function moveOn(milliseconds: number) {
  vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ['Date'] })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('GET /api/auth/session', () => {
  it('[L11] answers null to who is not signed in, and lets nobody keep the answer', async () => {
    const response = await new Browser().get('/api/auth/session')

    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Vary')).toBe('Cookie, Origin')
  })

  it('answers user, expiry and a token that jose verifies with ordinary settings', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

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
      sid: expect.stringMatching(/^ses_/),
      token_use: 'session',
      name: 'Mia Lindqvist',
      preferred_username: 'mia',
      picture: session?.user.image,
      profile: session?.user.url,
    })
    expect(Date.parse(session?.expires ?? '') - Date.now()).toBeGreaterThan(6.9 * DAY)
  })

  it('[E6] calls people by our own name, never by the platform’s', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const account = await env.DIRECTORY.prepare(
      'SELECT provider_account_id AS id FROM accounts LIMIT 1',
    ).first<{ id: string }>()
    const answer = JSON.stringify(await browser.session())

    expect(answer).not.toContain(account?.id)
    expect((await browser.session())?.user.id).toMatch(/^usr_[\w-]{22}$/)
  })

  it('[L15] makes the token for the app whose page asks, and for no longer than five minutes', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

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
  ])('refuses %s with %o', async (path, headers, status) => {
    const browser = new Browser()
    await browser.signIn('mia')

    const response = await browser.get(path, headers)

    expect(response.status).toBe(status)
    expect(await response.text()).not.toContain('eyJ')
  })

  it('[L2] takes a new id at every sign-in, and never one that was there before', async () => {
    const browser = new Browser()
    browser.cookies.set(COOKIE, 'planted-by-somebody')
    await browser.signIn('mia')
    const first = browser.cookies.get(COOKIE)
    const firstCookies = browser.cookieHeader()

    await browser.signIn('mia')

    expect(first).not.toBe('planted-by-somebody')
    expect(browser.cookies.get(COOKIE)).not.toBe(first)
    expect(await new Browser().session({ ...firstCookies })).toBeNull()
    expect(await browser.session()).not.toBeNull()
  })

  it('[L3] refuses a forged cookie before it asks any storage', async () => {
    const kv = counting(env.SESSIONS)
    const users = counting(env.USERS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.counted, USERS: users.counted }))
    await browser.signIn('mia')
    const real = browser.cookies.get(COOKIE) ?? ''
    kv.calls.length = 0
    users.calls.length = 0

    const forgeries = fc.oneof(
      fc.base64String({ maxLength: 200 }),
      fc.string({ maxLength: 50 }).filter((text) => !/[;\s]/.test(text) && isHeader(text)),
      fc.nat({ max: real.length - 1 }).map((at) => flip(real, at)),
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

  it('[L3] keeps no secret of a session in storage, only its digest', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const { id } = (await browser.session())?.user ?? { id: '' }

    const { keys } = await env.SESSIONS.list()
    const rows = await runInDurableObject(
      env.USERS.get(env.USERS.idFromName(id)),
      (_, { storage }) => [...storage.sql.exec('SELECT * FROM sessions')],
    )

    for (const { name } of keys) expect(name).toMatch(/^s:[\w-]{43}$/)
    expect(rows.map((row) => keys.some(({ name }) => name === `s:${row['key']}`))).toContain(true)
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get(COOKIE))
  })

  it('[L4] ends an idle session by its record, whatever cookie and copy say', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    moveOn(7 * DAY + 1000)

    expect(await browser.session()).toBeNull()
  })

  it('[L4] ends a session after thirty days, however much it is used', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()

    for (let day = 1; day < 30; day++) {
      moveOn(DAY)
      expect(await browser.session()).not.toBeNull()
    }
    moveOn(DAY + 1000)

    expect(await browser.session({ ...cookies })).toBeNull()
  })

  it('[L5] keeps no copy of a session that is about to end: KV would refuse one', async () => {
    const kv = counting(env.SESSIONS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.counted }))
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()
    for (let day = 1; day < 30; day++) {
      moveOn(DAY)
      await browser.session()
    }
    for (const { name } of (await env.SESSIONS.list()).keys) await env.SESSIONS.delete(name)
    const puts = () => kv.calls.filter((call) => call === 'put').length
    const before = puts()

    moveOn(DAY - 30_000)

    expect(await browser.session({ ...cookies })).not.toBeNull()
    expect(await browser.json('/api/auth/session?token=false')).not.toBeNull()
    expect(puts()).toBe(before)
  })

  it('[L6] reads a session a hundred times without writing, and a sign-in writes KV once', async () => {
    const kv = counting(env.SESSIONS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.counted }))
    await browser.signIn('mia')
    expect(kv.calls.filter((call) => call !== 'get')).toEqual(['put'])

    for (let read = 0; read < 50; read++) {
      await browser.session()
      await browser.json('/api/auth/session?token=false')
    }

    expect(kv.calls.filter((call) => call !== 'get')).toEqual(['put'])
  })

  it('[L6] prolongs a session in use once a day', async () => {
    const kv = counting(env.SESSIONS)
    const browser = new Browser(serviceWith({ SESSIONS: kv.counted }))
    await browser.signIn('mia')
    const before = await browser.session()
    moveOn(1.5 * DAY)

    const after = await browser.session()
    await browser.session()

    expect(Date.parse(after?.expires ?? '')).toBeGreaterThan(
      Date.parse(before?.expires ?? '') + DAY,
    )
    expect(kv.calls.filter((call) => call === 'put')).toHaveLength(2)
  })

  it('[L7][O3] outlives a change of the secret as long as the old one is kept', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const attempt = await browser.start()
    const callback = await browser.approve(attempt, 'mia')
    const changed = {
      AUTH_SECRET: 'Zk9wQ2xV4bN7mT1yR5uE8oI3pA6sD0fG',
      AUTH_SECRET_1: env.AUTH_SECRET,
    }

    const after = new Browser(serviceWith(changed))
    for (const [name, value] of browser.cookies) after.cookies.set(name, value)

    expect(await after.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
    expect((await after.get(callback)).status).toBe(302)
    const { AUTH_SECRET_1, ...forgotten } = changed
    expect(AUTH_SECRET_1).toBe(env.AUTH_SECRET)
    expect(
      await new Browser(serviceWith(forgotten)).session({ ...browser.cookieHeader() }),
    ).toBeNull()
  })

  it('[L8] fits into small cookies, whatever the platform says of a person', async () => {
    const browser = new Browser()

    await browser.signIn('lena')

    expect(browser.cookies.get(COOKIE)?.length).toBeLessThan(200)
    expect(await browser.session()).toMatchObject({ user: { name: 'Lena Vogt' } })
  })

  it('[L9] takes two cookies of its name for none', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const real = browser.cookies.get(COOKIE)

    for (const cookies of [
      `${COOKIE}=x; ${COOKIE}=${real}`,
      `${COOKIE}=${real}; ${COOKIE}=${real}`,
    ]) {
      expect(await browser.session({ Cookie: cookies })).toBeNull()
    }
  })

  it('[L9] survives cookies of any shape', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const real = `${COOKIE}=${browser.cookies.get(COOKIE)}`

    for (const junk of [
      'a=b=c',
      '%ZZ',
      '=',
      ';;;',
      'a="b; c"',
      '__proto__=1',
      'x'.repeat(3000),
      Array(300).fill('a=b').join('; '),
    ]) {
      expect(await browser.session({ Cookie: `${junk}; ${real}` })).not.toBeNull()
    }
  })

  it('[L10] carries the prefix that siblings on our domain cannot set', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const value = browser.cookies.get(COOKIE)

    expect(await browser.session({ Cookie: `vestibule.session=${value}` })).toBeNull()
  })

  it.each(['\u00a0', '\u2003', '\ufeff', '\u3000'])(
    '[L10] takes no name for its own that a browser would not protect: %j before it',
    async (space) => {
      const attacker = new Browser()
      await attacker.signIn('noah')
      const planted = { Cookie: `${space}${COOKIE}=${attacker.cookies.get(COOKIE)}` }
      const service = serviceWith({})
      // A header of such letters arrives as UTF-8, which a Request here cannot be made of.
      const request = new Request(`${LOGIN}/api/auth/session`)
      const header = request.headers.get.bind(request.headers)
      Object.defineProperty(request.headers, 'get', {
        value: (name: string) => (name.toLowerCase() === 'cookie' ? planted.Cookie : header(name)),
      })

      expect(await (await service(request)).json()).toBeNull()
    },
  )

  it('[L2] is not cleared by a late answer to the cookie that was there before', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const before = browser.cookieHeader()
    await browser.signIn('mia')

    const late = await browser.get('/api/auth/session', { ...before })

    expect(await late.json()).toBeNull()
    expect(late.headers.getSetCookie()).toEqual([])
    expect(await browser.session()).not.toBeNull()
  })

  it('[J12] is not shown by a copy that was left behind, for longer than an hour', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()
    const { keys } = await env.SESSIONS.list()
    const copies = await Promise.all(
      keys.map(async ({ name }) => [name, await env.SESSIONS.get(name)] as const),
    )
    await browser.post('/api/auth/signout', {})
    for (const [name, copy] of copies) await env.SESSIONS.put(name, copy ?? '')

    moveOn(3601 * 1000)

    expect(await new Browser().json('/api/auth/session?token=false', { ...cookies })).toBeNull()
  })

  it('[E4][CVE-2023-48309] takes no other cookie of ours, nor a token, for a session', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
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

  it('[L13] shows no session before a sign-in is finished', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')

    expect(await browser.session()).toBeNull()
    await standIn.fault({ path: '/v2/user/info/', kind: 'missing-data' })
    await browser.get(callback)
    expect(await browser.session()).toBeNull()
  })

  it('[L14] keeps a hundred sessions of a person, and lets the oldest go', {
    timeout: 60_000,
  }, async () => {
    const first = new Browser()
    await first.signIn('uma')
    const { user } = (await first.session()) ?? {}
    const object = env.USERS.get(env.USERS.idFromName(user?.id ?? ''))
    for (let other = 1; other <= 100; other++) {
      await object.openSession({
        key: `k${other}`,
        sid: 's',
        attempt: `a${other}`,
        isForced: false,
        user: user as never,
      })
    }

    expect(await first.session()).toBeNull()
    expect(await object.readSession('k1')).toBeDefined()
  })
})

describe('a session when storage fails', () => {
  it('[Q3] survives a copy that is missing, and repairs it', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    for (const { name } of (await env.SESSIONS.list()).keys) await env.SESSIONS.delete(name)

    expect(await browser.json('/api/auth/session?token=false')).toMatchObject({
      user: { name: 'Mia Lindqvist' },
    })
    await vi.waitFor(async () => expect((await env.SESSIONS.list()).keys).toHaveLength(1))
  })

  it('[Q3] survives a KV that still answers what was true a minute ago', async () => {
    const stale = kvWith({ get: (() => Promise.resolve(null)) as never })
    const browser = new Browser(serviceWith({ SESSIONS: stale }))

    await browser.signIn('mia')

    expect(await browser.session()).not.toBeNull()
    expect(await browser.json('/api/auth/session?token=false')).not.toBeNull()
  })

  it('[Q4] survives a KV that takes no writes', async () => {
    const browser = new Browser(serviceWith({ SESSIONS: kvWith({ put: down as never }) }))

    expect((await browser.signIn('mia')).status).toBe(302)
    expect(await browser.session()).not.toBeNull()
    expect(await browser.json('/api/auth/session?token=false')).not.toBeNull()
  })

  it('[Q5] survives a KV that cannot be read, and asks to come back when nobody can answer', async () => {
    const kvDown = kvWith({ get: down as never, put: down as never, delete: down as never })
    const browser = new Browser(serviceWith({ SESSIONS: kvDown }))
    await browser.signIn('mia')
    expect(await browser.json('/api/auth/session?token=false')).not.toBeNull()

    const nothing = new Browser(serviceWith({ SESSIONS: kvDown, USERS: broken(env.USERS) }))
    const response = await nothing.get('/api/auth/session?token=false', {
      ...browser.cookieHeader(),
    })

    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('10')
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('[Q6] issues nothing while the object is out of reach, and still knows who it is', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const service = new Browser(serviceWith({ USERS: broken(env.USERS) }))
    const cookies = browser.cookieHeader()

    expect((await service.get('/api/auth/session', { ...cookies })).status).toBe(503)
    expect(await service.json('/api/auth/session?token=false', { ...cookies })).toMatchObject({
      user: { name: 'Mia Lindqvist' },
    })
    expect((await service.post('/api/auth/signout', {}, { ...cookies })).status).toBe(503)
    expect(await browser.session()).not.toBeNull()
  })

  it('[Q6][Q7] leaves nothing behind when the object fails during a sign-in', async () => {
    const kv = counting(env.SESSIONS)
    const browser = new Browser(serviceWith({ USERS: broken(env.USERS), SESSIONS: kv.counted }))

    const response = await browser.signIn('mia')

    expect(response.status).toBe(503)
    expect(browser.cookies.has(COOKIE)).toBe(false)
    expect(kv.calls).toEqual([])
  })

  it('[Q7] records the session in the object, then the copy, then answers', async () => {
    const order: string[] = []
    const kv = kvWith({
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

  it('[Q10] leaves no trace in the object once all sessions have ended', async () => {
    await standIn.post('users', { handle: 'leaver' })
    const browser = new Browser()
    await browser.signIn('leaver')
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    moveOn(8 * DAY)

    expect(await runDurableObjectAlarm(object)).toBe(true)

    await runInDurableObject(object, async (_, { storage }) => {
      expect([...storage.sql.exec('SELECT name FROM sqlite_master')]).toEqual([])
      expect([...storage.kv.list()]).toEqual([])
      expect(await storage.getAlarm()).toBeNull()
    })
    vi.useRealTimers()
    await browser.signIn('leaver')
    expect(await browser.session()).not.toBeNull()
  })

  it('[Q10] answers who comes while the object is being emptied', async () => {
    await standIn.post('users', { handle: 'sweeper' })
    const browser = new Browser()
    await browser.signIn('sweeper')
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    moveOn(8 * DAY)

    await runInDurableObject(object, async (instance) => {
      let isEmpty = false
      const emptying = instance.alarm().then(() => {
        isEmpty = true
      })
      while (!isEmpty) {
        expect(instance.readSession('of somebody')).toBeUndefined()
        expect(instance.readGrant('of somebody')).toBeUndefined()
        await Promise.resolve()
      }
      await emptying
    })
  })
})

describe('POST /api/auth/signout', () => {
  it('ends the session in the object, drops the copy and clears the cookie', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()

    const response = await browser.post('/api/auth/signout', { callbackUrl: `${SHOP}/bye` })

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(`${SHOP}/bye`)
    expect(browser.cookies.has(COOKIE)).toBe(false)
    expect(await new Browser().session({ ...cookies })).toBeNull()
  })

  it('issues nothing afterwards, even while a stale copy says otherwise', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()
    const { keys } = await env.SESSIONS.list()
    const copies = await Promise.all(
      keys.map(async ({ name }) => [name, await env.SESSIONS.get(name)] as const),
    )

    await browser.post('/api/auth/signout', {})
    for (const [name, copy] of copies) await env.SESSIONS.put(name, copy ?? '')

    expect(await new Browser().session({ ...cookies })).toBeNull()
    expect((await new Browser().get('/api/auth/signin/tiktok', { ...cookies })).status).toBe(302)
  })

  it('ends it even if the copy cannot be dropped', async () => {
    const browser = new Browser(serviceWith({ SESSIONS: kvWith({ delete: down as never }) }))
    await browser.signIn('mia')
    const cookies = browser.cookieHeader()

    expect((await browser.post('/api/auth/signout', {})).status).toBe(200)
    expect(await browser.session({ ...cookies })).toBeNull()
  })

  it('says so to who was not signed in, or presses twice', async () => {
    const response = await new Browser().post('/api/auth/signout', {})

    expect(response.status).toBe(200)
    expect(await response.text()).toContain('You are signed out')
  })

  it('answers programs with the address to go to', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const response = await browser.post(
      '/api/auth/signout',
      { callbackUrl: `${SHOP}/` },
      { Accept: '*/*', Origin: SHOP, 'Sec-Fetch-Site': 'same-site' },
    )

    expect(await response.json()).toEqual({ url: `${SHOP}/` })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  })

  it('says so at once to who follows a link and is not signed in', async () => {
    expect(await (await new Browser().get('/api/auth/signout')).text()).toContain(
      'You are signed out',
    )
  })

  it('asks before it follows a link: GET changes nothing', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const response = await browser.get(`/api/auth/signout?callbackUrl=${SHOP}/bye`)

    const page = await response.text()
    expect(page).toContain('id="confirm-logout"')
    expect(page).toContain(`value="${SHOP}/bye"`)
    expect(await browser.session()).not.toBeNull()
  })
})

/** A namespace of objects that cannot be reached. */
function broken(namespace: typeof env.USERS) {
  return new Proxy(namespace, {
    get: (target, name) =>
      name === 'get'
        ? () =>
            new Proxy(
              {},
              { get: () => () => Promise.reject(new Error('Durable Object is overloaded')) },
            )
        : Reflect.get(target, name).bind(target),
  })
}

function flip(text: string, at: number): string {
  // The last letter of base64url may hold bits that mean nothing: change the one before it.
  const where = Math.min(at, text.length - 2)
  return text.slice(0, where) + (text[where] === 'A' ? 'B' : 'A') + text.slice(where + 1)
}

function isHeader(text: string): boolean {
  try {
    new Headers({ Cookie: text })
    return true
  } catch {
    return false
  }
}
