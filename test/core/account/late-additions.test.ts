import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { listAccounts } from '../../../src/core/users/linked-accounts.ts'
import { Browser, serviceWith } from '../../browser.ts'
import {
  DIRECTORY,
  interrupt,
  isInterruptionLeft,
  MOMENTS,
  signInTwice,
} from '../../interrupted-directory.ts'
import { startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { addressAfterSignIn, redirectUrl } from '../../redirect.ts'
import { failingAt } from '../../storage.ts'

afterEach(() => {
  expect(isInterruptionLeft()).toBe(false)
})

/** A user whose changes to the directory can be interrupted. */
async function createUser() {
  const browser = new Browser(serviceWith({ DIRECTORY }))
  return { browser, ...(await signInTwice(browser)) }
}

describe('an account whose session ends while it is linked', () => {
  it.each(MOMENTS)('[L14][S6] is not linked: just %s it is in the directory', async (moment) => {
    const { browser, userId, endOtherSessions } = await createUser()
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    const callback = await browser.approve(authorization, await createPlatformUser())
    const before = await listAccounts(env, userId)

    interrupt(moment, endOtherSessions)
    const response = await browser.get(callback)

    expect(addressAfterSignIn(response)).toBe('/account/link')
    expect(await listAccounts(env, userId)).toEqual(before)
  })

  it('[Q6] is not linked either if the object of the user does not respond', async () => {
    const browser = new Browser(serviceWith({ USERS: failingAt('keepAddedMethod') }))
    const { userId } = await signInNewUser(browser)
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))

    const response = await browser.get(
      await browser.approve(authorization, await createPlatformUser()),
    )

    expect(response.status).toBe(503)
    expect(await listAccounts(env, userId)).toHaveLength(1)
    expect(await browser.session()).toBeNull()
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

    interrupt('after', endOtherSessions)
    await browser.get(callback)

    expect(before).toHaveLength(2)
    expect(await listAccounts(env, userId)).toEqual(before)
  })
})
