import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import {
  DIRECTORY,
  interrupt,
  isInterruptionLeft,
  MOMENTS,
  signInTwice,
} from '../../interrupted-directory.ts'
import { addressAfterSignIn } from '../../redirect.ts'
import { failingAt, linkedProviders, userObject } from '../../storage.ts'
import { Authenticator } from './authenticator.ts'
import { addPasskey, openCreatePage, passkeyBrowser, signInWithPasskey } from './passkey-user.ts'

afterEach(() => {
  expect(isInterruptionLeft()).toBe(false)
})

/** A user whose changes to the directory can be interrupted. */
async function createUser(settings: Record<string, unknown> = {}) {
  const browser = passkeyBrowser({}, { DIRECTORY, ...settings })
  return { browser, ...(await signInTwice(browser)) }
}

describe('a passkey whose session ends while it is added', () => {
  it.each(MOMENTS)('[L14] is not stored: just %s it is in the directory', async (moment) => {
    const { browser, userId, endOtherSessions } = await createUser()
    const credential = await new Authenticator().create(await openCreatePage(browser))

    interrupt(moment, endOtherSessions)
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

    interrupt('after', run)
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
      interrupt('before', fail)
    }

    interrupt('after', run)
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

    interrupt('after', run)
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
