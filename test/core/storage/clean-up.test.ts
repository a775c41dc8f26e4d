import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { UserObject } from '../../../src/core/users/user-object.ts'
import { accountDigests } from '../../account-digests.ts'
import { Browser, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, setClock, stopClock } from '../../clock.ts'
import { inputValues } from '../../html.ts'
import { startLinking } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { failingAt, linkedProviders, userObject } from '../../storage.ts'
import { createWebhook, createWebhookNow, deliver } from '../../webhook-delivery.ts'
import { logoutDeliveries } from '../oidc/logout-token-receiver.ts'
import { OFFLINE_ACCESS, RelyingApp } from '../oidc/relying-app.ts'
import { approveConsent } from '../oidc/user-steps.ts'

/** A deployment with a second provider, so that users can have two accounts. */
const twoProviders = serviceWith({
  AUTH_GITLAB_ID: 'git-client',
  AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
  AUTH_GITLAB_ISSUER: 'https://git.example',
})

// The GitLab of these tests has one user only, who must not belong to the user of the previous
// test.
afterEach(async () => {
  await env.DIRECTORY.prepare("DELETE FROM accounts WHERE provider = 'gitlab'").run()
})

/** A user with two accounts, and a browser in which they have just signed in. */
async function signInUserWithTwoAccounts() {
  const user = await signInNewUser(new Browser(twoProviders))
  const start = await startLinking(user.browser, 'gitlab')
  const approval = await fetch(redirectUrl(start), { redirect: 'manual' })
  await user.browser.get(redirectUrl(approval).href)
  return user
}

/** What a user does, or the platform for them, in a browser in which they have just signed in. */
type Ending = (user: { browser: Browser; handle: string }) => Promise<unknown>

const DISCONNECT: Ending = async ({ browser }) => {
  const [account = ''] = await accountDigests(browser)
  await browser.post('/account/disconnect', { account })
}
const DELETE: Ending = ({ browser }) => browser.post('/account/delete', {})
const WEBHOOK: Ending = async ({ handle }) =>
  deliver(await createWebhookNow(handle, { reason: 'disconnected' }))

describe('a grant whose session has expired', () => {
  it('[J12] ends when the user signs out everywhere else, and those of the current session continue', async () => {
    const user = await signInNewUser()
    const app = new RelyingApp()
    const expired = await app.tokens(user.browser, OFFLINE_ACCESS)
    advanceClock(8 * DAY)
    await runInDurableObject(userObject(user.userId), (object) => object.alarm())
    const browser = new Browser()
    await browser.signIn(user.handle)
    const current = await app.tokens(browser, OFFLINE_ACCESS)
    const { refresh_token = '' } = await app.refresh(expired.refresh_token ?? '')
    const offered = inputValues(await (await browser.get('/account')).text(), 'sid')

    await browser.post('/account/sessions', { sid: 'others' })

    expect(offered).toEqual(['others'])
    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await app.refresh(current.refresh_token ?? '')).access_token).toBeTruthy()
    expect(await browser.sid()).toBe(current.claims()?.['sid'])
  })

  it.each([
    ['the user disconnects an account', DISCONNECT],
    ['the user is deleted', DELETE],
    ['the platform removes the authorization', WEBHOOK],
  ])('ends when %s', async (_, end) => {
    const user = await signInUserWithTwoAccounts()
    const app = new RelyingApp()
    const expired = await app.tokens(user.browser, OFFLINE_ACCESS)
    advanceClock(8 * DAY)
    await runInDurableObject(userObject(user.userId), (object) => object.alarm())
    const browser = new Browser(twoProviders)
    await browser.signIn(user.handle, { prompt: 'login' })
    const current = await app.tokens(browser, OFFLINE_ACCESS)
    const { refresh_token = '' } = await app.refresh(expired.refresh_token ?? '')

    await end({ browser, handle: user.handle })

    for (const token of [refresh_token, current.refresh_token ?? '']) {
      await expect(app.refresh(token)).rejects.toMatchObject({ error: 'invalid_grant' })
    }
  })

  it('continues when only another session ends', async () => {
    const user = await signInNewUser()
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(user.browser, OFFLINE_ACCESS)
    advanceClock(8 * DAY)
    await runInDurableObject(userObject(user.userId), (object) => object.alarm())
    const browser = new Browser()
    await browser.signIn(user.handle)

    await browser.post('/api/auth/signout', {})

    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })
})

/** The names of what the user's object stores, each once, and the number of its grants. */
async function storedIn(userId: string) {
  return runInDurableObject(userObject(userId), async (_, { storage }) => {
    const tables = [...storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'grants'")]
    const keys = Array.from(storage.kv.list(), ([key]) => key.replace(/:.*/, ''))
    return {
      keys: [...new Set(keys)].sort(),
      grants: tables.length > 0 ? [...storage.sql.exec('SELECT id FROM grants')].length : 0,
      alarm: await storage.getAlarm(),
    }
  })
}

/** Runs the alarm. An alarm in the past would run again and again. */
async function runAlarm(userId: string) {
  await runDurableObjectAlarm(userObject(userId))
  const stored = await storedIn(userId)
  if (stored.alarm !== null) expect(stored.alarm).toBeGreaterThan(Date.now())
  return stored
}

describe('the alarm of a user who no longer comes', () => {
  const NOTHING = { keys: [], grants: 0, alarm: null }

  it.each<[string, (browser: Browser) => Promise<unknown>, string[]]>([
    ['is only signed in', async () => {}, []],
    ['has used an app', (browser) => new RelyingApp().tokens(browser), []],
    ['has signed out', (browser) => browser.post('/api/auth/signout', {}), []],
    ['was deleted', (browser) => browser.post('/account/delete', {}), []],
    [
      'has disconnected their account',
      async (browser) => {
        const [account = ''] = await accountDigests(browser)
        await browser.post('/account/disconnect', { account })
      },
      [],
    ],
    [
      'has given a consent',
      async (browser) => {
        const app = new RelyingApp('kiosk')
        await approveConsent(browser, await browser.get(await app.authorizationUrl()))
      },
      ['consent'],
    ],
  ])(
    '[Q10] keeps no profile, token or grant after eight days: a user who %s',
    async (_, act, kept) => {
      const { browser, userId } = await signInNewUser()
      await act(browser)
      advanceClock(8 * DAY)

      expect(await runAlarm(userId)).toEqual({ ...NOTHING, keys: kept })
      advanceClock(32 * DAY)
      expect(await runAlarm(userId)).toEqual({ ...NOTHING, keys: kept })
    },
  )

  it('[D7][Q10] keeps what an offline grant needs for thirty days, and then nothing', async () => {
    const { browser, userId } = await signInNewUser()
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    const needed = ['participant', 'upstream', 'user']

    advanceClock(8 * DAY)
    expect(await runAlarm(userId)).toMatchObject({ keys: needed, grants: 1 })
    advanceClock(21 * DAY)
    expect(await runAlarm(userId)).toMatchObject({ keys: needed, grants: 1 })
    const rotated = await app.refresh(refresh_token)
    advanceClock(29 * DAY)
    expect(await runAlarm(userId)).toMatchObject({ keys: needed, grants: 1 })
    advanceClock(2 * DAY)
    await expect(app.refresh(rotated.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect(await runAlarm(userId)).toEqual(NOTHING)
  })

  it.each<[string, (user: { browser: Browser; userId: string }) => Promise<unknown>]>([
    [
      'the user removes the app',
      ({ browser }) => browser.post('/account/consents', { client_id: 'web' }),
    ],
    [
      'the user ends all other sessions',
      ({ browser }) => browser.post('/account/sessions', { sid: 'others' }),
    ],
    ['an administrator ends all sessions', ({ userId }) => userObject(userId).endAllSessions()],
    ['the user is blocked', ({ userId }) => userObject(userId).block()],
    ['the user is deleted', ({ browser }) => browser.post('/account/delete', {})],
  ])('[J9] leaves the apps with offline grants to be notified when %s', async (_, end) => {
    const { browser, handle, userId } = await signInNewUser()
    const tokens = await new RelyingApp().tokens(browser, OFFLINE_ACCESS)
    const sid = String(tokens.claims()?.['sid'])
    advanceClock(8 * DAY)
    await runAlarm(userId)
    const later = new Browser()
    await later.signIn(handle, { prompt: 'login' })

    await end({ browser: later, userId })

    await runAlarm(userId)
    expect(await logoutDeliveries({ sid })).toMatchObject([{ path: '/web' }])
    await expect(new RelyingApp().refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('[Q9] is repeated an hour later if it fails', async () => {
    const now = stopClock()
    const { userId } = await signInNewUser()
    setClock(now + 8 * DAY)
    const failRead = () => {
      throw new Error('AUTH_SECRET is missing.')
    }

    await runInDurableObject(userObject(userId), (_, state) =>
      new UserObject(state, env, failRead).alarm(),
    )

    expect(lastLogEntry('user_cleanup_failed')).toMatchObject({
      cause: 'Error: AUTH_SECRET is missing.',
    })
    const { alarm, keys } = await storedIn(userId)
    expect([alarm, keys]).toEqual([
      (now + 8 * DAY + 3600) * 1000,
      expect.arrayContaining(['user', 'upstream']),
    ])
    setClock(now + 8 * DAY + 3600)
    expect(await runAlarm(userId)).toEqual(NOTHING)
  })
})

describe('deleting a user whose object does not respond', () => {
  const USERS = failingAt('deleteUserData')
  const failing = serviceWith({ USERS })
  interface User {
    browser: Browser
    userId: string
    handle: string
  }

  /** Prepares the deletion, and returns what asks a deployment for it. */
  type Prepare = (user: User) => Promise<(service: typeof failing) => Promise<Response>>

  it.each<[string, number, Prepare]>([
    [
      'by the user',
      200,
      async ({ browser }) =>
        (service) =>
          new Browser(service).withCookiesOf(browser).post('/account/delete', {}),
    ],
    [
      'by the platform',
      200,
      async ({ handle }) => {
        const webhook = await createWebhook(handle, { reason: 'account-deleted' })
        return (service) => deliver(webhook, service)
      },
    ],
  ])(
    '[Q7][S10] keeps the user in the directory, so that it can be repeated: %s',
    async (_, status, prepare) => {
      const user = await signInNewUser()
      const remove = await prepare(user)
      const count = async () => {
        const rows = env.DIRECTORY.prepare('SELECT id FROM users WHERE id = ?').bind(user.userId)
        return [(await rows.all()).results.length, (await linkedProviders(user.userId)).length]
      }

      expect((await remove(failing)).status).toBe(503)

      expect(await count()).toEqual([1, 1])
      expect(await user.browser.session()).not.toBeNull()
      expect((await remove(serviceWith({}))).status).toBe(status)
      expect(await count()).toEqual([0, 0])
      expect(await user.browser.session()).toBeNull()
    },
  )
})

describe('authorization.removed, because the platform account was deleted', () => {
  it('[P15] keeps a user who has another account, but ends their sessions', async () => {
    const { browser, handle, userId } = await signInUserWithTwoAccounts()

    await deliver(await createWebhook(handle, { reason: 'account-deleted' }))

    expect(await browser.session()).toBeNull()
    const users = env.DIRECTORY.prepare('SELECT id FROM users WHERE id = ?').bind(userId)
    expect((await users.all()).results).toHaveLength(1)
    expect(await linkedProviders(userId)).toContain('gitlab')
    const other = new Browser(twoProviders)
    const start = await other.get('/api/auth/signin/gitlab')
    const approval = await fetch(redirectUrl(start), { redirect: 'manual' })
    await other.get(redirectUrl(approval).href)
    expect((await other.session())?.user.id).toBe(userId)
  })
})
