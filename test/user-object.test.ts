import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { DAY, SECOND } from './clock.ts'
import { newUserObject } from './storage.ts'

const opening = {
  key: 'key',
  sid: 'ses_x',
  attempt: 'attempt',
  user: { id: 'usr_x' as const },
  claimedAt: 0,
  isPrompted: true,
}

describe('opening a session in a user object', () => {
  it('[Q12] succeeds once for twenty simultaneous calls with the same attempt', async () => {
    const sessions = await runInDurableObject(newUserObject(), (object) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) => object.openSession({ ...opening, key: `key ${n}` })),
      ),
    )

    expect(sessions.filter((session) => session !== undefined)).toHaveLength(1)
  })

  it('[Q13] derives all times from one reading of the clock', async () => {
    const start = Date.now()
    let readings = 0
    // Each reading of this clock is a day later than the one before.
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + readings++ * DAY)

    const session = await runInDurableObject(newUserObject(), (object) =>
      object.openSession(opening),
    )
    clock.mockRestore()

    const { authenticatedAt = 0, promptedAt, idleExpiresAt, expiresAt } = session ?? {}
    expect(promptedAt).toBe(authenticatedAt)
    expect(idleExpiresAt).toBe(authenticatedAt + (7 * DAY) / SECOND)
    expect(expiresAt).toBe(authenticatedAt + (30 * DAY) / SECOND)
  })
})
