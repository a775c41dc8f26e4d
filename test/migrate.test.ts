import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { FORMAT_VERSION, migrate } from '../src/users/migrate.ts'
import type { UserObject } from '../src/users/user-object.ts'
import { Browser, serviceWith } from './browser.ts'
import { signInNewUser } from './new-user.ts'
import { RelyingApp } from './oidc/relying-app.ts'
import { newUserObject, recordCopies, userObject } from './storage.ts'

/** The tables that version 1 created in every user object. */
const VERSION_1 = `
  CREATE TABLE sessions (
    key TEXT PRIMARY KEY, sid TEXT NOT NULL, attempt TEXT NOT NULL UNIQUE, account TEXT, device TEXT, place TEXT,
    authenticated_at INTEGER NOT NULL, forced_at INTEGER NOT NULL, renewed_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE grants (
    id TEXT PRIMARY KEY, key TEXT NOT NULL, client_id TEXT NOT NULL, sid TEXT NOT NULL, terms TEXT NOT NULL,
    generation INTEGER NOT NULL, grace_until INTEGER NOT NULL DEFAULT 0, code_expires_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, idle_expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX grants_by_session ON grants (sid);
  CREATE TABLE participants (
    sid TEXT NOT NULL, client_id TEXT NOT NULL, PRIMARY KEY (sid, client_id)
  ) STRICT;
  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY, client_id TEXT NOT NULL, sid TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL
  ) STRICT;`

/** Replaces an object's storage by the same data in the format of version 1, and restarts the object. */
async function downgrade(
  object: DurableObjectStub<UserObject>,
  moreData = 'SELECT 1',
): Promise<void> {
  await runInDurableObject(object, (_, { storage: { sql, kv } }) => {
    const sessions = sql.exec('SELECT * FROM sessions').toArray()
    const grants = sql.exec('SELECT * FROM grants').toArray()
    const participants = [...kv.list<{ sid: string; clientId: string }>({ prefix: 'participant:' })]
    sql.exec(`DROP TABLE sessions; DROP TABLE grants; ${VERSION_1}`)
    for (const { amr: _, ...row } of sessions) {
      sql.exec(
        'INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...Object.values(row),
      )
    }
    for (const row of grants) {
      sql.exec('INSERT INTO grants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...Object.values(row))
    }
    for (const [key, { sid, clientId }] of participants) {
      kv.delete(key)
      sql.exec('INSERT INTO participants VALUES (?, ?)', sid, clientId)
    }
    sql.exec(moreData)
    kv.put('version', 1)
  })
  await restart(object)
}

/** What a new deployment does to every object. */
async function restart(object: DurableObjectStub<UserObject>): Promise<void> {
  await runInDurableObject(object, (_, state) => state.abort('as a deployment would')).catch(
    () => undefined,
  )
}

describe('the storage of a user object', () => {
  it('[Q11] is migrated from version 1, with its sessions, grants and participants', async () => {
    const { browser, userId } = await signInNewUser()
    const app = new RelyingApp('web')
    const { refresh_token = '' } = await app.tokens(browser, { scope: 'openid offline_access' })
    await downgrade(userObject(userId))

    expect((await browser.session())?.user.id).toBe(userId)
    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
    const { version, tables, participants } = await runInDurableObject(
      userObject(userId),
      (_, { storage: { sql, kv } }) => ({
        version: kv.get('version'),
        tables: sql
          .exec<{ name: string }>(
            "SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_%' ESCAPE '\\'",
          )
          .toArray()
          .map(({ name }) => name),
        participants: Array.from(
          kv.list<{ clientId: string }>({ prefix: 'participant:' }),
          ([, { clientId }]) => clientId,
        ),
      }),
    )
    expect({ version, tables: tables.sort(), participants }).toEqual({
      version: FORMAT_VERSION,
      tables: ['grants', 'sessions'],
      participants: ['web'],
    })
  })

  it('[Q11] keeps the logout notices of version 1 that are still to be delivered', async () => {
    const { browser, userId } = await signInNewUser()
    await new RelyingApp('web').tokens(browser)
    await downgrade(
      userObject(userId),
      "INSERT INTO outbox (client_id, sid, attempts, due_at) VALUES ('post', 'ses_x', 3, 0)",
    )

    const notices = await runInDurableObject(userObject(userId), (_, { storage: { kv } }) =>
      Array.from(kv.list<{ clientId: string }>({ prefix: 'logout:' }), ([, notice]) => notice),
    )

    expect(notices).toEqual([expect.objectContaining({ clientId: 'post', sid: 'ses_x' })])
  })

  it('[Q11] is migrated from version 2, and keeps its sessions', async () => {
    const { browser, userId, handle } = await signInNewUser()
    await runInDurableObject(userObject(userId), (_, { storage: { sql, kv } }) => {
      sql.exec('ALTER TABLE sessions DROP COLUMN amr')
      kv.put('version', 2)
    })
    await restart(userObject(userId))

    expect((await browser.session())?.user.id).toBe(userId)
    await browser.post('/api/auth/signout', {})
    await browser.signIn(handle)
    expect((await browser.session())?.user.id).toBe(userId)
    const version = await runInDurableObject(userObject(userId), (_, { storage: { kv } }) =>
      kv.get('version'),
    )
    expect(version).toBe(FORMAT_VERSION)
  })

  it('[Q11] is migrated from version 2 without sessions', async () => {
    await runInDurableObject(newUserObject(), (_, { storage }) => {
      storage.kv.put('version', 2)

      migrate(storage)

      expect(storage.kv.get('version')).toBe(FORMAT_VERSION)
    })
  })

  it('[Q11] is not changed when its version is newer than the code', async () => {
    await runInDurableObject(newUserObject(), (_, { storage }) => {
      storage.kv.put('version', FORMAT_VERSION + 1)

      expect(() => migrate(storage)).toThrow('newer version')
      expect(storage.kv.get('version')).toBe(FORMAT_VERSION + 1)
    })
  })

  it('[Q11] causes a 503 when its version is newer than the code, and keeps the session', async () => {
    const { browser, userId } = await signInNewUser()
    const object = userObject(userId)
    await runInDurableObject(object, (_, { storage }) => storage.kv.put('version', 99))
    await restart(object)

    const response = await browser.get('/api/auth/session', { Accept: 'application/json' })

    expect(response.status).toBe(503)
    expect(browser.cookieNames('session')).toHaveLength(1)
  })
})

describe('the copy of a session in KV', () => {
  it('[Q11] is ignored when it has another version, and the object is read', async () => {
    const { SESSIONS, keys } = recordCopies()
    const browser = new Browser(serviceWith({ SESSIONS }))
    await browser.signIn('mia')
    const [key = ''] = keys
    await env.SESSIONS.put(key, JSON.stringify({ v: 99, user: { name: 'Nobody' } }))

    const session = await browser.json<{ user: { name: string } }>('/api/auth/session?token=false')

    expect(session.user.name).toBe('Mia Lindqvist')
  })
})
