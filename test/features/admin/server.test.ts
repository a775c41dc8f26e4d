import { describe, expect, it } from 'vitest'
import { advanceClock, MINUTE, stopClock } from '../../clock.ts'
import { newAppUser, service } from '../../libraries/server/app-browser.ts'
import { connectMachine } from './machine-client.ts'

describe('a session of vestibule-auth/server', () => {
  it('[J12] ends when the user is blocked, also if nobody asks for a quarter of an hour', async () => {
    stopClock()
    const { login, app, userId } = await newAppUser()
    expect(await login.getSession(app.request('/'))).not.toBeNull()
    const { call } = await connectMachine({}, service)

    expect((await call(`/users/${userId}/block`, { method: 'POST' })).status).toBeLessThan(300)
    advanceClock(15 * MINUTE)

    expect(await login.getSession(app.request('/'))).toBeNull()
  })
})
