import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SCHEMA_VERSION, TABLES } from '../../../src/core/storage/database.ts'
import { isMissingMigration } from '../../../src/core/storage/unavailable-error.ts'
import { Browser, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { browserOf, readReadiness } from '../../read-readiness.ts'
import { userObject } from '../../storage.ts'

/** A database whose statements fail with the error that this function throws. */
function databaseWith(first: () => Promise<unknown>) {
  return { prepare: () => ({ first, bind: () => ({ first }) }), batch: first }
}

function failingDatabase(message: string) {
  return databaseWith(() => Promise.reject(new Error(message)))
}

/** The names of the tables that an object has created. */
function storedTables(object: DurableObjectStub): Promise<string[]> {
  return runInDurableObject(object, (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .toArray()
      .map(({ name }) => name),
  )
}

const BINDINGS = [
  'DIRECTORY',
  'SESSIONS',
  'USERS',
  'KEYRING',
  'GUARDS',
  'USER_RATE_LIMIT',
  'CLIENT_RATE_LIMIT',
]

describe('GET /readyz', () => {
  it('returns 200 with every part of a working deployment', async () => {
    const { response, body } = await readReadiness({
      AUTH_OIDC_ID: 'our-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: 'https://op.example',
    })

    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(body).toEqual({
      status: 'ready',
      checks: [
        { name: 'settings', ready: true },
        { name: 'D1', ready: true, detail: `schema ${SCHEMA_VERSION}` },
        { name: 'KV', ready: true },
        { name: 'object USERS', ready: true },
        { name: 'object KEYRING', ready: true },
        { name: 'object GUARDS', ready: true },
        { name: 'object REVOCATIONS', ready: true },
        { name: 'object CLIENT_METADATA', ready: true },
        { name: 'USER_RATE_LIMIT', ready: true },
        { name: 'CLIENT_RATE_LIMIT', ready: true },
        { name: 'provider oidc', ready: true },
      ],
    })
  })

  it.each(BINDINGS)('names a missing binding: %s', async (name) => {
    const { response, failed } = await readReadiness({ [name]: undefined })

    expect(response.status).toBe(503)
    expect(failed).toEqual([
      expect.objectContaining({
        problem: `The binding ${name} is missing.`,
        fix: expect.stringContaining('wrangler.toml'),
      }),
    ])
  })

  it('names a binding of another type', async () => {
    const { failed } = await readReadiness({ SESSIONS: env.DIRECTORY })

    expect(failed).toEqual([expect.objectContaining({ name: 'KV' })])
  })

  it.each([
    [
      failingDatabase('D1_ERROR: no such table: schema_version: SQLITE_ERROR'),
      'Migrations were not applied.',
    ],
    [
      databaseWith(async () => ({ version: 0 })),
      `Migrations were not applied: the database has schema 0, and this version needs ${SCHEMA_VERSION}.`,
    ],
  ])('names the command that applies missing migrations', async (DIRECTORY, problem) => {
    const { response, body, failed } = await readReadiness({ DIRECTORY })

    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('10')
    expect(body.status).toBe('not_ready')
    expect(failed).toEqual([{ name: 'D1', ready: false, problem, fix: 'npm run migrate' }])
    expect(lastLogEntry('not_ready')).toEqual({ event: 'not_ready', cause: `D1: ${problem}` })
  })

  it('accepts a database of a newer version, as after a rollback', async () => {
    const { response } = await readReadiness({
      DIRECTORY: databaseWith(async () => ({
        version: SCHEMA_VERSION + 1,
        tables: TABLES.join(' '),
      })),
    })

    expect(response.status).toBe(200)
  })

  it('knows every table that the migrations create', async () => {
    const { results } = await env.DIRECTORY.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    ).all<{ name: string }>()

    const created = results
      .map(({ name }) => name)
      .filter((name) => !/^(_cf|d1|sqlite)_/.test(name))
    expect(created.sort()).toEqual([...TABLES].sort())
  })

  it('names the tables that are missing, although the version of the schema is there', async () => {
    await env.DIRECTORY.exec('ALTER TABLE accounts RENAME TO lost_accounts')
    onTestFinished(async () => {
      await env.DIRECTORY.exec('ALTER TABLE lost_accounts RENAME TO accounts')
    })

    const { response, failed } = await readReadiness({})

    expect(response.status).toBe(503)
    expect(failed).toEqual([
      {
        name: 'D1',
        ready: false,
        problem: 'Tables are missing: accounts.',
        fix: expect.stringContaining('Restore the database'),
      },
    ])
  })

  it('names the same remedy for keys that cannot be created without tables', async () => {
    await env.DIRECTORY.exec('ALTER TABLE object_location RENAME TO lost_location')
    onTestFinished(async () => {
      await env.DIRECTORY.exec('ALTER TABLE lost_location RENAME TO object_location')
    })
    // As in a new deployment, whose object does not exist yet.
    const KEYRING = {
      idFromName: () => env.KEYRING.newUniqueId(),
      get: (id: DurableObjectId) => env.KEYRING.get(id),
    }

    const { failed } = await readReadiness({ KEYRING })

    expect(failed.map(({ name }) => name)).toEqual(['D1', 'object KEYRING'])
    expect(failed[1]).toEqual({
      name: 'object KEYRING',
      ready: false,
      problem: 'It creates no keys until the database can be used.',
      fix: failed[0]?.fix,
    })
  })

  it('[O5] reports a failure without its internals, which are in the log', async () => {
    const { response, failed } = await readReadiness({
      DIRECTORY: failingDatabase('D1_ERROR: internal error; reference = 7f3a'),
    })

    expect(failed).toEqual([
      {
        name: 'D1',
        ready: false,
        problem: 'It cannot be used.',
        fix: expect.stringContaining('status page'),
      },
    ])
    expect(response.status).toBe(503)
    expect(lastLogEntry('not_ready')).toEqual({
      event: 'not_ready',
      cause: 'D1: Error: D1_ERROR: internal error; reference = 7f3a',
    })
  })

  it('[P4] reports what does not respond within two seconds', async () => {
    const startedAt = Date.now()
    const { promise, resolve } = Promise.withResolvers<number>()

    const { failed } = await readReadiness({ DIRECTORY: databaseWith(() => promise) })

    expect(failed).toEqual([
      expect.objectContaining({
        name: 'D1',
        problem: 'It did not respond within 2 seconds.',
      }),
    ])
    expect(Date.now() - startedAt).toBeLessThan(4000)
    resolve(3)
  })

  it('reports a provider whose discovery document cannot be read', async () => {
    const { response, failed } = await readReadiness({
      AUTH_OIDC_ID: 'our-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: 'https://hostile.example/issuer-mismatch',
    })

    expect(response.status).toBe(503)
    expect(failed).toEqual([
      expect.objectContaining({
        name: 'provider oidc',
        fix: expect.stringContaining('discovery document'),
      }),
    ])
  })

  it('[R11] uses storage at most once in five seconds', async () => {
    stopClock()
    let calls = 0
    const browser = browserOf({
      DIRECTORY: databaseWith(async () => {
        calls += 1
        return 3
      }),
    })
    const callsAfter = async (seconds: number) => {
      advanceClock(seconds)
      await browser.get('/readyz')
      return calls
    }

    expect([await callsAfter(0), await callsAfter(4), await callsAfter(1)]).toEqual([1, 1, 2])
  })

  it('[R11] stores nothing', async () => {
    await readReadiness({})

    expect(await env.SESSIONS.get('s:readiness')).toBeNull()
    expect(await userObject('readiness').readSession('readiness')).toBeUndefined()
    const guard = env.GUARDS.get(env.GUARDS.idFromName('readiness'))
    expect(await storedTables(guard)).toEqual([])
    expect(await storedTables(userObject('readiness'))).toEqual([])
  })

  it.each(['USER_RATE_LIMIT', 'CLIENT_RATE_LIMIT'])('reports that %s fails', async (name) => {
    const limit = () => Promise.reject(new Error('internal error'))

    const { response, failed } = await readReadiness({ [name]: { limit } })

    expect(response.status).toBe(503)
    expect(failed).toEqual([expect.objectContaining({ name, problem: 'It cannot be used.' })])
  })

  it('[R1] is limited like pages', async () => {
    const browser = browserOf({ USER_RATE_LIMIT: { limit: async () => ({ success: false }) } })

    const response = await browser.get('/readyz', { 'CF-Connecting-IP': '203.0.113.7' })

    expect(response.status).toBe(429)
  })
})

describe('GET /healthz', () => {
  it('uses no storage', async () => {
    const browser = browserOf(Object.fromEntries(BINDINGS.map((name) => [name, undefined])))

    const response = await browser.get('/healthz')

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  })
})

describe('isMissingMigration', () => {
  it.each([
    ['SELECT * FROM no_such_table', true],
    ['SELECT no_such_column FROM users', true],
    ['INSERT INTO users (id, no_such_column) VALUES (1, 2)', true],
    ['SELECT * FROM users WHERE', false],
  ])('recognizes the error of the database for %s: %s', async (statement, isMissing) => {
    const error = await env.DIRECTORY.prepare(statement)
      .all()
      .catch((cause: unknown) => cause)
    const inBatch = await env.DIRECTORY.batch([env.DIRECTORY.prepare(statement)]).catch(
      (cause: unknown) => cause,
    )

    expect([isMissingMigration(error), isMissingMigration(inBatch)]).toEqual([isMissing, isMissing])
  })
})

describe('a sign-in without the tables of this version', () => {
  it('fails as unavailable, and the log has the command that fixes it', async () => {
    const DIRECTORY = failingDatabase('D1_ERROR: no such table: accounts: SQLITE_ERROR')
    const browser = new Browser(
      serviceWith({ DIRECTORY: { ...DIRECTORY, prepare: () => ({ bind: () => ({}) }) } }),
    )

    const response = await browser.signIn('mia')

    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain('migrat')
    expect(lastLogEntry('migrations were not applied')).toMatchObject({
      code: 'unavailable',
      hint: 'migrations were not applied: npm run migrate',
    })
  })

  it('fails as unavailable at any page that reads the database', async () => {
    const signedIn = new Browser()
    await signedIn.signIn('mia')
    const fail = async () => {
      throw new Error('D1_ERROR: no such column: blocked_at: SQLITE_ERROR')
    }
    const statement = { bind: () => statement, first: fail, all: fail, run: fail, raw: fail }
    const browser = browserOf({ DIRECTORY: { prepare: () => statement, batch: fail } })

    const response = await browser.get('/account', { ...signedIn.cookieHeader() })

    expect(response.status).toBe(503)
    expect(lastLogEntry('no such column')).toMatchObject({
      code: 'unavailable',
      hint: 'migrations were not applied: npm run migrate',
    })
  })
})
