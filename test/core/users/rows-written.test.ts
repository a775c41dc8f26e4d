import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { stopClock } from '../../clock.ts'
import { createPlatformUser } from '../../new-user.ts'
import { userObject } from '../../storage.ts'

/** What the service has written since the last sign-in of {@link signIn}. */
const written = { directory: 0, object: 0 }

/** Counts the rows of D1, including those of indexes, as they are billed. */
const directory = new Proxy(env.DIRECTORY, {
  get(target, name) {
    if (name !== 'batch') return Reflect.get(target, name).bind(target)
    return async (statements: D1PreparedStatement[]) => {
      const results = await target.batch(statements)
      for (const { meta } of results) written.directory += meta.rows_written
      return results
    }
  },
})

/** Without metrics, whose object writes a row from time to time. */
const service = serviceWith({ DIRECTORY: directory, METRICS: undefined })

/** A record of an object, and its alarm, cost one row. The methods are those of all objects. */
beforeEach(async () => {
  stopClock()
  // The first sign-in of an hour also counts and deletes old entries of the audit log.
  await signIn('mia')
  await runInDurableObject(userObject(crypto.randomUUID()), (_, { storage }) => {
    countCalls(Object.getPrototypeOf(storage.kv), ['put', 'delete'])
    countCalls(Object.getPrototypeOf(storage), ['setAlarm'])
    countCalls(Object.getPrototypeOf(storage.sql), ['exec'])
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

function countCalls(prototype: Record<string, () => unknown>, names: readonly string[]): void {
  for (const name of names) {
    const method = prototype[name]
    vi.spyOn(prototype, name).mockImplementation(function (this: unknown, ...input) {
      const result = Reflect.apply(method as () => unknown, this, input)
      written.object += name === 'exec' ? (result as { rowsWritten: number }).rowsWritten : 1
      return result
    })
  }
}

async function signIn(handle: string): Promise<typeof written> {
  Object.assign(written, { directory: 0, object: 0 })
  await new Browser(service).signIn(handle)
  return { ...written }
}

/**
 * What a sign-in writes: the least of three, because objects of other tests may write at the same
 * time. `prepare` returns who signs in.
 */
async function measureSignIn(prepare: () => Promise<string>): Promise<typeof written> {
  const counts: (typeof written)[] = []
  for (let round = 0; round < 3; round++) counts.push(await signIn(await prepare()))
  return {
    directory: Math.min(...counts.map(({ directory }) => directory)),
    object: Math.min(...counts.map(({ object }) => object)),
  }
}

/** Without a picture, whose URL changes every hour. */
const newPlatformUser = () => createPlatformUser({ hasAvatar: false })

async function returningUser(): Promise<string> {
  const handle = await newPlatformUser()
  await signIn(handle)
  return handle
}

async function renamedUser(): Promise<string> {
  const handle = await returningUser()
  await createPlatformUser({ handle, hasAvatar: false, displayName: 'Another' })
  return handle
}

describe('the rows that a sign-in writes', () => {
  it('are 3 in D1 and 2 in the object for a returning user whose profile has not changed', async () => {
    // The audit entry with its index, and the counter; the session and what the provider sent.
    expect(await measureSignIn(returningUser)).toEqual({ directory: 3, object: 2 })
  })

  it('are 8 and 3 if the name has changed: also the user and the account with their indexes, and the copy', async () => {
    expect(await measureSignIn(renamedUser)).toEqual({ directory: 8, object: 3 })
  })

  it('are 10 in D1 and 4 in the object for a new user', async () => {
    expect(await measureSignIn(newPlatformUser)).toEqual({ directory: 10, object: 4 })
  })
})
