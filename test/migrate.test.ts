import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { migrate } from '../src/users/migrate.ts'
import { SCHEMA } from '../src/users/schema.ts'
import { Browser } from './browser.ts'
import { signInNewUser } from './new-user.ts'
import { newUserObject, userObject } from './storage.ts'

const tableNames = (sql: SqlStorage) =>
  Array.from(
    sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    ),
    ({ name }) => name,
  )

describe('the schema of a user object', () => {
  it('[Q11] is migrated by the missing steps, each executed once', async () => {
    const steps = [
      ...SCHEMA,
      'ALTER TABLE sessions ADD COLUMN colour TEXT',
      'CREATE TABLE added (x)',
    ]

    await runInDurableObject(newUserObject(), (_, { storage }) => {
      migrate(storage, SCHEMA)
      expect(storage.kv.get('version')).toBe(SCHEMA.length)
      storage.sql.exec("INSERT INTO participants (sid, client_id) VALUES ('ses_x', 'shop')")

      migrate(storage, steps)
      migrate(storage, steps)

      expect(storage.kv.get('version')).toBe(steps.length)
      expect(tableNames(storage.sql)).toContain('added')
      expect([...storage.sql.exec('SELECT client_id FROM participants')]).toEqual([
        { client_id: 'shop' },
      ])
      expect([...storage.sql.exec('SELECT colour FROM sessions')]).toEqual([])
    })
  })

  it('[Q11] is not changed when its version is newer than the code', async () => {
    await runInDurableObject(newUserObject(), (_, { storage }) => {
      storage.kv.put('version', SCHEMA.length + 1)

      expect(() => migrate(storage, SCHEMA)).toThrow('newer version')
      expect(storage.kv.get('version')).toBe(SCHEMA.length + 1)
    })
  })

  it('[Q11] causes a 503 when its version is newer than the code, and keeps the session', async () => {
    const { browser, userId } = await signInNewUser()
    const object = userObject(userId)
    await runInDurableObject(object, (_, { storage }) => storage.kv.put('version', 99))
    await runInDurableObject(object, (_, state) => state.abort('as a deployment would')).catch(
      () => undefined,
    )

    const response = await browser.get('/api/auth/session', { Accept: 'application/json' })

    expect(response.status).toBe(503)
    expect(browser.cookieNames('session')).toHaveLength(1)
  })
})

describe('the copy of a session in KV', () => {
  it('[Q11] is ignored when it has another version, and the object is read', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    for (const { name } of (await env.SESSIONS.list()).keys)
      await env.SESSIONS.put(name, JSON.stringify({ v: 99, user: { name: 'Nobody' } }))

    const session = await browser.json<{ user: { name: string } }>('/api/auth/session?token=false')

    expect(session.user.name).toBe('Mia Lindqvist')
  })
})
