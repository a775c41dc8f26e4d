import { describe, expect, it } from 'vitest'
import { createPasskeyUser, passkeyBrowser, signInWithPasskey } from './passkey-user.ts'

describe('POST /api/auth/signin/passkey', () => {
  it('signs the user in who added the passkey', async () => {
    const { authenticator, userId } = await createPasskeyUser()
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, authenticator)

    expect(response.status, await response.clone().text()).toBe(200)
    expect((await browser.session())?.user.id).toBe(userId)
  })
})
