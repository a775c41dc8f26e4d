import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { listAccounts } from '../src/users/linked-accounts.ts'
import { Browser } from './browser.ts'
import { startLinking } from './link-account.ts'
import { createPlatformUser, signInNewUser } from './new-user.ts'
import { Authenticator } from './passkeys/authenticator.ts'
import {
  addPasskey,
  openCreatePage,
  passkeyBrowser,
  signInWithPasskey,
} from './passkeys/passkey-user.ts'
import { addressAfterSignIn, redirectUrl } from './redirect.ts'
import { failingAt, linkedProviders, userObject } from './storage.ts'

type Moment = 'before' | 'after'

/** What happens before or after the next transaction in the directory, while its request waits. */
let interruption: { moment: Moment; run: () => Promise<unknown> } | undefined

afterEach(() => {
  expect(interruption).toBeUndefined()
})

/** The directory, whose next transaction is interrupted. */
const DIRECTORY = new Proxy(env.DIRECTORY, {
  get(database, name) {
    const member = Reflect.get(database, name)
    if (name !== 'batch') return member.bind(database)
    return async (statements: D1PreparedStatement[]) => {
      const { moment, run } = interruption ?? {}
      interruption = undefined
      if (moment === 'before') await run?.()
      const results = await database.batch(statements)
      if (moment === 'after') await run?.()
      return results
    }
  },
})

/** A user whose changes to the directory can be interrupted. */
async function createUser(settings: Record<string, unknown> = {}) {
  const { browser, handle, userId } = await signInNewUser(
    passkeyBrowser({}, { DIRECTORY, ...settings }),
  )
  const other = new Browser()
  await other.signIn(handle)
  const endOtherSessions = () => other.post('/account/sessions', { sid: 'others' })
  return { browser, userId, endOtherSessions }
}

const MOMENTS: Moment[] = ['before', 'after']

describe('a passkey whose session ends while it is added', () => {
  it.each(MOMENTS)('[L14] is not stored: just %s it is in the directory', async (moment) => {
    const { browser, userId, endOtherSessions } = await createUser()
    const credential = await new Authenticator().create(await openCreatePage(browser))

    interruption = { moment, run: endOtherSessions }
    const response = await browser.post('/account/passkeys', { credential, name: 'Late' })

    expect(addressAfterSignIn(response)).toBe('/account/passkeys/new')
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
    expect(await userObject(userId).listPasskeys()).toEqual([])
  })

  it('[L14] signs nobody in, even if it was used meanwhile', async () => {
    const { browser, userId, endOtherSessions } = await createUser()
    const authenticator = new Authenticator()
    const credential = await authenticator.create(await openCreatePage(browser))
    const attacker = passkeyBrowser()
    let usedFor: string | undefined
    const run = async () => {
      await endOtherSessions()
      await signInWithPasskey(attacker, authenticator)
      usedFor = (await attacker.session())?.user.id
    }

    interruption = { moment: 'after', run }
    await browser.post('/account/passkeys', { credential, name: 'Late' })

    expect(usedFor).toBe(userId)
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
    expect(await attacker.session()).toBeNull()
  })

  it('[L14] cannot be used, even if the directory fails to remove it', async () => {
    const { browser, userId, endOtherSessions } = await createUser()
    const authenticator = new Authenticator()
    const credential = await authenticator.create(await openCreatePage(browser))
    const fail = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))
    const run = async () => {
      await endOtherSessions()
      interruption = { moment: 'before', run: fail }
    }

    interruption = { moment: 'after', run }
    await browser.post('/account/passkeys', { credential, name: 'Late' })
    const attacker = passkeyBrowser()
    await signInWithPasskey(attacker, authenticator)

    expect(await linkedProviders(userId)).toEqual(['tiktok', 'passkey'])
    expect(await userObject(userId).listPasskeys()).toEqual([])
    expect(await attacker.session()).toBeNull()
  })

  it('[L14] is not stored if the user has no other account any more, which is recorded', async () => {
    const { browser, userId, endOtherSessions } = await createUser()
    const credential = await new Authenticator().create(await openCreatePage(browser))
    const run = async () => {
      await endOtherSessions()
      await env.DIRECTORY.prepare("DELETE FROM accounts WHERE user_id = ? AND provider = 'tiktok'")
        .bind(userId)
        .run()
    }

    interruption = { moment: 'after', run }
    await browser.post('/account/passkeys', { credential, name: 'Late' })

    expect(await linkedProviders(userId)).toEqual([])
    const { results } = await env.DIRECTORY.prepare(
      "SELECT provider, actor FROM audit WHERE event = 'account_unlinked' AND subject = ?",
    )
      .bind(userId)
      .all()
    expect(results).toEqual([{ provider: 'passkey', actor: userId }])
  })

  it("is not stored if the user's object does not respond", async () => {
    const { browser, userId } = await createUser({ USERS: failingAt('keepAddedMethod') })

    const response = await addPasskey(browser, new Authenticator())

    expect(response.status).toBe(503)
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
    expect(await userObject(userId).listPasskeys()).toEqual([])
  })
})

describe('an account whose session ends while it is linked', () => {
  it.each(MOMENTS)('[L14][S6] is not linked: just %s it is in the directory', async (moment) => {
    const { browser, userId, endOtherSessions } = await createUser()
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    const callback = await browser.approve(authorization, await createPlatformUser())
    const before = await listAccounts(env, userId)

    interruption = { moment, run: endOtherSessions }
    const response = await browser.get(callback)

    expect(addressAfterSignIn(response)).toBe('/account/link')
    expect(await listAccounts(env, userId)).toEqual(before)
  })

  it('stays linked if it was linked before', async () => {
    const { browser, userId, endOtherSessions } = await createUser()
    const handle = await createPlatformUser()
    const link = async () => {
      const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
      return browser.approve(authorization, handle)
    }
    await browser.get(await link())
    const callback = await link()
    const before = await listAccounts(env, userId)
    // Only accounts that were linked at least a second ago are known to be older.
    await scheduler.wait(1000)

    interruption = { moment: 'after', run: endOtherSessions }
    await browser.get(callback)

    expect(before).toHaveLength(2)
    expect(await listAccounts(env, userId)).toEqual(before)
  })
})
