import { evictAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountKey } from '../../../src/core/users/account-reference.ts'
import type { UserObject } from '../../../src/core/users/user-object.ts'
import type { BoundUserObject } from '../../../src/features/device-bound/bound-user-object.ts'
import { Browser } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE } from '../../clock.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { hiddenFields, inputValues } from '../../html.ts'
import {
  bindAndUse,
  boundService,
  copyOf,
  createKey,
  PROOF_COOKIE,
  register,
  renew,
  SESSION_COOKIE,
  sign,
  signIn,
} from './bound-browser.ts'
import { gate } from './bound-deployment.ts'

/** For how long a copy of all cookies is useful. */
const COOKIE_LIFETIME = 10 * MINUTE

const shop = new RelyingApp('shop', boundService())
const kiosk = new RelyingApp('kiosk', boundService())

/** What reads the session of a browser, and whether it found one. */
const READERS: Record<string, (browser: Browser) => Promise<boolean>> = {
  'the session endpoint': async (browser) => (await browser.session()) !== null,
  'the session endpoint without a token': async (browser) =>
    (await browser.json('/api/auth/session?token=false')) !== null,
  'the account page': async (browser) => (await browser.get('/account')).status === 200,
  'the export of the account': async (browser) =>
    (await browser.post('/account/export', {})).status === 200,
  'the page that adds a way to sign in': async (browser) =>
    (await browser.get('/account/passkeys/new')).status === 200,
  'the end of other sessions': async (browser) =>
    !(await browser.post('/account/sessions', { sid: 'others' })).headers
      .get('Location')
      ?.includes('signin'),
  'an authorization request': async (browser) =>
    (await shop.callbackFor(browser)).searchParams.has('code'),
  'an authorization request with prompt=none': async (browser) =>
    (await shop.callbackFor(browser, { prompt: 'none' })).searchParams.has('code'),
  'a consent page': async (browser) =>
    (await browser.get(await kiosk.authorizationUrl({ prompt: 'consent' }))).status === 200,
  'the console': async (browser) => (await browser.get('/admin')).status === 200,
  'the live view of the console': async (browser) =>
    (await browser.get('/admin/live')).status === 200,
  'the sign-in page': async (browser) =>
    (await (await browser.get('/api/auth/signin')).text()).includes('prompt=select_account'),
  'the page that confirms a sign-out': async (browser) =>
    inputValues(await (await browser.get('/api/auth/signout')).text(), 'csrfToken').length > 0,
}

/** Which of them need a sign-in of the last ten minutes, too. */
const RECENT = ['the export of the account', 'the page that adds a way to sign in']

/** Which of them find a session, with the settings of a deployment whose administrator this is. */
async function openReaders(browser: Browser, userId: string, names = Object.keys(READERS)) {
  const found: string[] = []
  for (const name of names) {
    const reader = new Browser(boundService({ AUTH_ADMINS: userId })).withCookiesOf(browser)
    if (await READERS[name]?.(reader)) found.push(name)
  }
  return found
}

describe('the cookies of a bound session', () => {
  let readers: string[]

  /** Readers whose answer tells a session from none. */
  beforeAll(async () => {
    const { browser, userId } = await bindAndUse()
    const withSession = await openReaders(browser, userId)
    const without = await openReaders(new Browser(), userId)
    readers = withSession.filter((name) => !without.includes(name))
    expect(without).toEqual([])
  })

  it('open everything in the browser that has the key', () => {
    expect(readers).toEqual(Object.keys(READERS))
  })

  it('open everything elsewhere for as long as the bound cookie is valid, and nothing later', async () => {
    const { browser, userId } = await bindAndUse()
    advanceClock(3 * MINUTE)
    const thief = copyOf(browser)

    expect(await openReaders(thief, userId)).toEqual(readers)
    advanceClock(COOKIE_LIFETIME - 3 * MINUTE)
    expect(await openReaders(thief, userId)).toEqual([])
  })

  it('open nothing without the bound cookie, two minutes after the sign-in', async () => {
    const { browser, userId } = await bindAndUse()
    const thief = copyOf(browser, [SESSION_COOKIE])

    // The requests of a page can be faster than the binding.
    expect(await openReaders(thief, userId, ['the session endpoint'])).toHaveLength(1)
    advanceClock(2 * MINUTE)
    expect(await openReaders(thief, userId)).toEqual([])
    expect(await openReaders(browser, userId)).toEqual(readers)
  })

  it.each(['before the registration', 'after the registration', 'after a renewal'])(
    'open nothing if they were copied %s, once the binding is established',
    async (moment) => {
      const { browser, challenge } = await signIn()
      const copies = new Map([['before the registration', copyOf(browser)]])
      const key = await createKey()
      const response = await register(browser, await sign(key, challenge))
      const { session_identifier: id } = await response.json<{ session_identifier: string }>()
      copies.set('after the registration', copyOf(browser))
      const session = await browser.session()
      advanceClock(9 * MINUTE)
      await renew(browser, { id, key })
      copies.set('after a renewal', copyOf(browser))
      const thief = copies.get(moment) ?? new Browser()

      advanceClock(COOKIE_LIFETIME)

      expect(await openReaders(thief, session?.user.id ?? '')).toEqual([])
      await renew(browser, { id, key })
      expect(await openReaders(browser, session?.user.id ?? '')).toEqual(
        readers.filter((name) => !RECENT.includes(name)),
      )
    },
  )

  it('open nothing after the objects have been restarted', async () => {
    const { browser, userId } = await bindAndUse()
    const thief = copyOf(browser, [SESSION_COOKIE])
    advanceClock(2 * MINUTE)
    await evictAllDurableObjects()

    expect(await openReaders(thief, userId)).toEqual([])
    expect(await openReaders(browser, userId)).toEqual(readers)
  })

  it('open nothing with the bound cookie of another session', async () => {
    const victim = await bindAndUse()
    const own = await bindAndUse()
    advanceClock(2 * MINUTE)
    const thief = copyOf(victim.browser, [SESSION_COOKIE])
    thief.cookies.set(PROOF_COOKIE, own.browser.cookies.get(PROOF_COOKIE) ?? '')

    expect(await openReaders(thief, victim.userId)).toEqual([])
  })

  it('open nothing after the user has signed out', async () => {
    const { browser, userId } = await bindAndUse()
    const thief = copyOf(browser)
    await browser.post('/api/auth/signout', {})

    expect(browser.cookies.has(PROOF_COOKIE)).toBe(false)
    expect(await openReaders(thief, userId)).toEqual([])
  })

  it('sign the user out, which harms nobody', async () => {
    const { browser, userId } = await bindAndUse()
    advanceClock(2 * MINUTE)
    await copyOf(browser, [SESSION_COOKIE]).post('/api/auth/signout', {})

    expect(await openReaders(browser, userId)).toEqual([])
  })

  it('give nothing to somebody who signs in with a copy as another user', async () => {
    const { browser, userId } = await bindAndUse()
    advanceClock(2 * MINUTE)
    const thief = copyOf(browser, [SESSION_COOKIE])
    await thief.signIn('noa', { prompt: 'login' })

    expect(await thief.session()).not.toMatchObject({ user: { id: userId } })
  })

  it('do not continue the session of a user who signs in again without the proof', async () => {
    const { browser, handle, userId } = await bindAndUse()
    const sid = await readSid(browser)
    advanceClock(COOKIE_LIFETIME)
    await signIn(browser, handle)

    expect(await readSid(browser)).not.toBe(sid)
    const { results } = await env.DIRECTORY.prepare('SELECT 1 FROM users WHERE id = ?')
      .bind(userId)
      .all()
    expect(results).toHaveLength(1)
    const page = await (await browser.get('/account')).text()
    expect(page.match(/aria-label="Sign out \(/g) ?? []).toHaveLength(0)
  })

  async function readSid(browser: Browser): Promise<string> {
    const session = await browser.session()
    const [, claims = ''] = session?.token.split('.') ?? []
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).sid
  }
})

it('A bound session is renewed as often as the browser needs it', async () => {
  const bound = await bindAndUse()
  const { browser } = bound
  const sid = await browser.sid()
  let expires = ''
  // Longer than a session that is not in use.
  for (let round = 0; round < 5; round += 1) {
    advanceClock(2 * DAY)
    expect(await browser.session()).toBeNull()
    expect((await renew(browser, bound)).status).toBe(200)

    expect(await browser.sid()).toBe(sid)
    const session = await browser.session()
    expect(session?.expires.localeCompare(expires)).toBe(1)
    expires = session?.expires ?? ''
    const thief = copyOf(browser, [SESSION_COOKIE])
    expect(await thief.session()).toBeNull()
  }
})

describe('a step that gives a bound session a new secret', () => {
  /** Passes the step, as anybody can. */
  async function passStep(browser: Browser): Promise<void> {
    gate.isRequired = (client) => client === 'kiosk'
    const asked = await browser.get(await kiosk.authorizationUrl())
    gate.isRequired = () => false
    const path = asked.headers.get('Location') ?? ''
    expect(path).toContain('/gate')
    const page = await (await browser.get(path)).text()
    const secret = browser.cookies.get(SESSION_COOKIE)
    await browser.post(path, Object.fromEntries(hiddenFields(page)))
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(secret)
  }

  it('does not end the binding', async () => {
    const bound = await bindAndUse()
    const { browser } = bound
    advanceClock(3 * MINUTE)
    const before = copyOf(browser)
    const sid = await browser.sid()
    await passStep(browser)

    expect(await browser.sid()).toBe(sid ?? 'open')
    expect(await before.session()).toBeNull()
    const thief = copyOf(browser, [SESSION_COOKIE])
    expect(await thief.session()).toBeNull()
    expect(await thief.json('/api/auth/session?token=false')).toBeNull()
    advanceClock(HOUR)
    expect(await browser.session()).toBeNull()
    expect((await renew(browser, bound)).status).toBe(200)
    expect(await browser.sid()).toBe(sid)
  })

  it('knows the account of the session', async () => {
    const user = { id: 'usr_x' as const }
    const account = { provider: 'tiktok', issuer: '', accountId: 'a' }
    const object = env.TEST_BOUND_USERS.get(env.TEST_BOUND_USERS.newUniqueId())
    await object.openSession({
      secretDigest: 'former',
      sid: 'ses_x',
      attempt: 'attempt',
      user,
      claimedAt: 0,
      level: 'prompted',
      account: accountKey(account),
      upstream: { ...account, scope: [], readAt: 0, extras: {} },
      steps: { gate: 1 },
    })
    const bindable = object as DurableObjectStub<UserObject & BoundUserObject>
    await bindable.bindSession('former', { proof: 'proof', key: { alg: 'ES256', jwk: {} } })
    advanceClock(2 * MINUTE)

    const passed = await object.passStep('former.proof', {
      steps: { gate: 1 },
      newSecretDigest: 'new',
      includesAccount: true,
    })

    expect(passed?.session).toMatchObject({ isBound: true, account: { id: 'a' } })
  })

  it('gives a thief nothing that lasts', async () => {
    const { browser } = await bindAndUse()
    advanceClock(3 * MINUTE)
    const thief = copyOf(browser)

    await passStep(thief)

    expect(await thief.session()).not.toBeNull()
    advanceClock(COOKIE_LIFETIME)
    expect(await thief.session()).toBeNull()
  })
})
