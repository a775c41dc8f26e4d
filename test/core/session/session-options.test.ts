import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, stopClock } from '../../clock.ts'
import { configReaderWith } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { forbidden, recordCalls, recordCopies, usersWith } from '../../storage.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

/** A browser at a deployment with these options, and Durable Objects with the same. */
function browserWith(
  changes: Partial<VestibuleOptions>,
  bindings: Record<string, unknown> = {},
): Browser {
  const USERS = usersWith({}, configReaderWith(changes))
  return new Browser(serviceOf(createVestibule({ ...options, ...changes }), { USERS, ...bindings }))
}

/** The same browser at a deployment with these options, whose bindings are changed. */
function moveTo(
  browser: Browser,
  changes: Partial<VestibuleOptions>,
  bindings: Record<string, unknown>,
): Browser {
  return browserWith(changes, bindings).withCookiesOf(browser)
}

const WITHOUT_OBJECTS = { USERS: forbidden('USERS') }

describe('session.trustCopyFor', () => {
  const TRUSTING = { session: { trustCopyFor: 120 } }

  it('returns the session and a token from the copy, without the user object, until it is that old', async () => {
    stopClock()
    const { browser, userId } = await signInNewUser(browserWith(TRUSTING))
    advanceClock(120)

    const session = await moveTo(browser, TRUSTING, WITHOUT_OBJECTS).session()

    expect(session?.user.id).toBe(userId)
    expect(decodeJwt(session?.token ?? '')).toMatchObject({ sub: userId, token_use: 'session' })
  })

  it('calls the object when the copy is older, and renews the copy', async () => {
    stopClock()
    const { browser, userId } = await signInNewUser(browserWith(TRUSTING))
    advanceClock(121)

    const response = await moveTo(browser, TRUSTING, WITHOUT_OBJECTS).get('/api/auth/session')
    expect(response.status).toBe(503)
    expect((await browser.session())?.user.id).toBe(userId)
    advanceClock(120)

    expect((await moveTo(browser, TRUSTING, WITHOUT_OBJECTS).session())?.user.id).toBe(userId)
  })

  it('[J12] lets a sign-out in another browser take effect that much later, and no later', async () => {
    stopClock()
    const { SESSIONS, keys } = recordCopies()
    const { browser, handle } = await signInNewUser(browserWith(TRUSTING, { SESSIONS }))
    const other = browserWith(TRUSTING, { SESSIONS })
    await other.signIn(handle)
    // The location of the first browser still has the copy that the sign-out deletes.
    const copies = await Promise.all(
      keys.map(async (key) => [key, await env.SESSIONS.get(key)] as const),
    )

    await other.post('/account/sessions', { sid: 'others' })
    for (const [key, copy] of copies) await env.SESSIONS.put(key, copy ?? '')

    expect(await browser.session()).not.toBeNull()
    advanceClock(121)
    expect(await browser.session()).toBeNull()
  })

  it('[J12] is 0 by default: a token is never issued from a copy', async () => {
    const { browser } = await signInNewUser(browserWith({}))
    const { calls, recorded } = recordCalls(env.SESSIONS)

    await moveTo(browser, {}, { SESSIONS: recorded }).session()

    expect(calls).toEqual([])
    const response = await moveTo(browser, {}, WITHOUT_OBJECTS).get('/api/auth/session')
    expect(response.status).toBe(503)
  })

  it('keeps the account in the copy for callbacks.claims', async () => {
    stopClock()
    const claims = { claims: ({ account }: { account?: unknown }) => ({ account }) }
    const withClaims = { ...TRUSTING, callbacks: claims }
    const { browser } = await signInNewUser(browserWith(withClaims))

    const session = await moveTo(browser, withClaims, WITHOUT_OBJECTS).session()

    expect(decodeJwt(session?.token ?? '')).toMatchObject({ account: { provider: 'tiktok' } })
  })

  it('does not trust a copy without the account if callbacks.claims needs it', async () => {
    stopClock()
    const { browser } = await signInNewUser(browserWith(TRUSTING))
    const claims = { claims: ({ account }: { account?: unknown }) => ({ account }) }

    const session = await moveTo(browser, { ...TRUSTING, callbacks: claims }, {}).session()

    expect(decodeJwt(session?.token ?? '')).toMatchObject({ account: { provider: 'tiktok' } })
  })
})

describe('lifetimes', () => {
  it('[L4] session.idleLifetime ends a session that is not used, and only that', async () => {
    stopClock()
    const short = { session: { idleLifetime: HOUR } }
    const { browser } = await signInNewUser(browserWith(short))
    const unused = moveTo(browser, short, {})

    for (let minutes = 0; minutes < 120; minutes += 20) {
      advanceClock(20 * MINUTE)
      expect(await browser.json('/api/auth/session?token=false')).not.toBeNull()
    }
    advanceClock(HOUR + 1)

    expect(await unused.session()).toBeNull()
  })

  it('[L4] session.absoluteLifetime ends a session in use, and is the lifetime of its cookie', async () => {
    stopClock()
    const short = { session: { absoluteLifetime: DAY } }
    const { browser, handle } = await signInNewUser(browserWith(short))
    const response = await browserWith(short).signIn(handle)

    const cookie = response.headers.getSetCookie().find((text) => text.includes('.session='))
    expect(cookie).toContain(`Max-Age=${DAY}`)
    advanceClock(DAY - 1)
    expect(await browser.session()).not.toBeNull()
    advanceClock(1)
    expect(await browser.session()).toBeNull()
  })

  it('[L15] session.tokenLifetime is the lifetime of a session token', async () => {
    const { browser } = await signInNewUser(browserWith({ session: { tokenLifetime: 60 } }))

    const { iat = 0, exp } = decodeJwt((await browser.session())?.token ?? '')

    expect(exp).toBe(iat + 60)
  })

  it('[F4] accessTokenLifetime is the lifetime of an access token and of a grant without a refresh token', async () => {
    stopClock()
    const { browser } = await signInNewUser(browserWith({ accessTokenLifetime: 900 }))
    const app = new RelyingApp()

    const response = await redeemCode(browser, app, await app.callbackFor(browser))

    const tokens = await response.json<{ access_token: string; expires_in: number }>()
    const userinfo = () =>
      browser.get('/oidc/userinfo', { Authorization: `Bearer ${tokens.access_token}` })
    const { iat = 0, exp } = decodeJwt(tokens.access_token)
    expect(tokens.expires_in).toBe(900)
    expect(exp).toBe(iat + 900)
    advanceClock(899)
    expect((await userinfo()).status).toBe(200)
    advanceClock(1)
    expect((await userinfo()).status).toBe(401)
  })

  it.each<[Partial<VestibuleOptions>, string]>([
    [
      { session: { idleLifetime: 599 } },
      'session.idleLifetime must be a whole number of seconds from 600 to 2592000.',
    ],
    [
      { session: { idleLifetime: 2592001 } },
      'session.idleLifetime must be a whole number of seconds from 600 to 2592000.',
    ],
    [
      { session: { absoluteLifetime: 599 } },
      'session.absoluteLifetime must be a whole number of seconds from 600 to 7776000.',
    ],
    [
      { session: { absoluteLifetime: 7776001 } },
      'session.absoluteLifetime must be a whole number of seconds from 600 to 7776000.',
    ],
    [
      { session: { tokenLifetime: 59 } },
      'session.tokenLifetime must be a whole number of seconds from 60 to 300.',
    ],
    [
      { session: { tokenLifetime: 301 } },
      'session.tokenLifetime must be a whole number of seconds from 60 to 300.',
    ],
    [
      { session: { trustCopyFor: -1 } },
      'session.trustCopyFor must be a whole number of seconds from 0 to 300.',
    ],
    [
      { session: { trustCopyFor: 301 } },
      'session.trustCopyFor must be a whole number of seconds from 0 to 300.',
    ],
    [
      { session: { trustCopyFor: 1.5 } },
      'session.trustCopyFor must be a whole number of seconds from 0 to 300.',
    ],
    [
      { session: { trustCopyFor: '60' as never } },
      'session.trustCopyFor must be a whole number of seconds from 0 to 300.',
    ],
    [{ session: null as never }, 'session must be an object.'],
    [
      { accessTokenLifetime: 299 },
      'accessTokenLifetime must be a whole number of seconds from 300 to 900.',
    ],
    [
      { accessTokenLifetime: 901 },
      'accessTokenLifetime must be a whole number of seconds from 300 to 900.',
    ],
    [
      { session: { maxAge: 60 } as never },
      'session.maxAge does not exist: the names are idleLifetime, absoluteLifetime, tokenLifetime, trustCopyFor.',
    ],
    [
      { session: { idleLifetime: 2 * DAY, absoluteLifetime: DAY } },
      'session.idleLifetime must not be longer than absoluteLifetime, which is 2592000 by default.',
    ],
  ])('[T1] are rejected at startup outside their bounds: %j', (changes, problem) => {
    expect(() => createVestibule({ ...options, ...changes })).toThrow(
      `The configuration has 1 problem(s): ${problem}`,
    )
  })
})
