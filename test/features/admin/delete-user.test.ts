import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { serviceWith } from '../../browser.ts'
import { signInNewUser } from '../../new-user.ts'
import { failingAt, linkedProviders } from '../../storage.ts'
import { callApi, connectMachine } from './machine-client.ts'

describe('DELETE /admin/api/users/:user', () => {
  it("[Q7][S10] keeps the user in the directory if the user's object does not respond, so that it can be repeated", async () => {
    const { browser, userId } = await signInNewUser()
    const { token } = await connectMachine()
    const remove = (settings: object) =>
      callApi(`/users/${userId}`, {
        method: 'DELETE',
        token,
        service: serviceWith({ ...settings }),
      })
    const count = async () => {
      const rows = env.DIRECTORY.prepare('SELECT id FROM users WHERE id = ?').bind(userId)
      return [(await rows.all()).results.length, (await linkedProviders(userId)).length]
    }

    expect((await remove({ USERS: failingAt('deleteUserData') })).status).toBe(503)

    expect(await count()).toEqual([1, 1])
    expect(await browser.session()).not.toBeNull()
    expect((await remove({})).status).toBe(204)
    expect(await count()).toEqual([0, 0])
    expect(await browser.session()).toBeNull()
  })
})
