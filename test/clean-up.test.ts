import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { accountDigests } from './account-digests.ts'
import { Browser, serviceWith } from './browser.ts'
import { advanceClock, DAY } from './clock.ts'
import { inputValues } from './html.ts'
import { startLinking } from './link-account.ts'
import { signInNewUser } from './new-user.ts'
import { OFFLINE_ACCESS, RelyingApp } from './oidc/relying-app.ts'
import { redirectUrl } from './redirect.ts'
import { linkedProviders, userObject } from './storage.ts'
import { createWebhook, createWebhookNow, deliver } from './webhook-delivery.ts'

/** A deployment with a second provider, so that users can have two accounts. */
const twoProviders = serviceWith({
  AUTH_GITLAB_ID: 'git-client',
  AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
  AUTH_GITLAB_ISSUER: 'https://git.example',
})

// The GitLab of these tests has one user only, who must not belong to the user of the previous test.
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
    expect(await browser.session()).not.toBeNull()
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

describe('a grant of another browser', () => {
  it.each([
    ['all other sessions', async () => 'others'],
    [
      'its session',
      async (browser: Browser) => {
        const page = await (await browser.get('/account')).text()
        return inputValues(page, 'sid').find((sid) => sid.startsWith('ses_')) ?? ''
      },
    ],
  ])('ends when the user ends %s', async (_, chooseSession) => {
    const { browser, handle } = await signInNewUser()
    const other = new Browser()
    await other.signIn(handle)
    const app = new RelyingApp()
    const ended = await app.tokens(other, OFFLINE_ACCESS)
    const kept = await app.tokens(browser, OFFLINE_ACCESS)

    await browser.post('/account/sessions', { sid: await chooseSession(browser) })

    await expect(app.refresh(ended.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await app.refresh(kept.refresh_token ?? '')).access_token).toBeTruthy()
  })
})

describe('an unredeemed code', () => {
  it.each([
    [
      'the user signs out',
      async ({ browser }) => {
        await browser.post('/api/auth/signout', {})
      },
    ],
    ['the user disconnects an account', DISCONNECT],
    ['the user is deleted', DELETE],
    ['the platform removes the authorization', WEBHOOK],
  ] as [string, Ending][])('is invalid after %s', async (_, end) => {
    const user = await signInUserWithTwoAccounts()
    const app = new RelyingApp()
    const callback = await app.callbackFor(user.browser)

    await end(user)

    await expect(app.exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})

describe('the cached copies of sessions', () => {
  /** What a frontend sees that only displays who is signed in: it may be read from the cache. */
  const displayedUser = (browser: Browser) => browser.json('/api/auth/session?token=false')

  /** Signs the same user in to two more browsers, and makes sure that all three sessions are cached. */
  async function signInThreeTimes() {
    const user = await signInUserWithTwoAccounts()
    const others = [new Browser(twoProviders), new Browser(twoProviders)]
    for (const other of others) await other.signIn(user.handle)
    for (const browser of [user.browser, ...others]) {
      expect(await displayedUser(browser)).not.toBeNull()
    }
    return { ...user, others }
  }

  it.each([
    ['the user disconnects an account', DISCONNECT],
    ['the user is deleted', DELETE],
    ['the platform removes the authorization', WEBHOOK],
    [
      'the user ends all other sessions',
      async ({ browser }) => {
        await browser.post('/account/sessions', { sid: 'others' })
      },
    ],
    [
      'the user ends each of them',
      async ({ browser }) => {
        const page = await (await browser.get('/account')).text()
        for (const sid of inputValues(page, 'sid').filter((value) => value.startsWith('ses_'))) {
          await browser.post('/account/sessions', { sid })
        }
      },
    ],
  ] as [string, Ending][])('[J12] of other browsers are deleted when %s', async (_, end) => {
    const { others, ...user } = await signInThreeTimes()

    await end(user)

    // Not `session()`, which reads the user's object and deletes a copy that is out of date.
    for (const other of others) {
      await vi.waitFor(async () => expect(await displayedUser(other)).toBeNull())
    }
  })
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
