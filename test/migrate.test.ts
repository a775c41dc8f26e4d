import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { migrate } from '../src/users/migrate.ts'
import { SCHEMA } from '../src/users/schema.ts'
import { Browser, standIn } from './browser.ts'

const fresh = () => env.USERS.get(env.USERS.newUniqueId())

const tablesOf = (sql: SqlStorage) =>
  Array.from(
    sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    ),
    ({ name }) => name,
  )

describe('the tables of an object', () => {
  it('[Q11] take the steps they lack, each once', async () => {
    const steps = [
      ...SCHEMA,
      'ALTER TABLE sessions ADD COLUMN colour TEXT',
      'CREATE TABLE more (x)',
    ]

    await runInDurableObject(fresh(), (_, { storage }) => {
      migrate(storage, SCHEMA)
      expect(storage.kv.get('version')).toBe(SCHEMA.length)
      storage.sql.exec("INSERT INTO participants (sid, client_id) VALUES ('ses_x', 'shop')")

      migrate(storage, steps)
      migrate(storage, steps)

      expect(storage.kv.get('version')).toBe(steps.length)
      expect(tablesOf(storage.sql)).toContain('more')
      expect([...storage.sql.exec('SELECT client_id FROM participants')]).toEqual([
        { client_id: 'shop' },
      ])
      expect([...storage.sql.exec('SELECT colour FROM sessions')]).toEqual([])
    })
  })

  it('[Q11] of a newer version are not touched', async () => {
    await runInDurableObject(fresh(), (_, { storage }) => {
      storage.kv.put('version', SCHEMA.length + 1)

      expect(() => migrate(storage, SCHEMA)).toThrow('newer version')
      expect(storage.kv.get('version')).toBe(SCHEMA.length + 1)
    })
  })

  it('[Q11] of a newer version sign nobody out: people are told to wait', async () => {
    const handle = `m${crypto.randomUUID().slice(0, 8)}`
    await standIn.post('users', { handle })
    const browser = new Browser()
    await browser.signIn(handle)
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    await runInDurableObject(object, (_, { storage }) => storage.kv.put('version', 99))
    await runInDurableObject(object, (_, state) => state.abort('as a deployment would')).catch(
      () => undefined,
    )

    const response = await browser.get('/api/auth/session', { Accept: 'application/json' })

    expect(response.status).toBe(503)
    expect(browser.cookieNames('session')).toHaveLength(1)
  })

  it('[Q11] a copy of another version is no copy: the object is asked', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    for (const { name } of (await env.SESSIONS.list()).keys)
      await env.SESSIONS.put(name, JSON.stringify({ v: 99, user: { name: 'Nobody' } }))

    const session = await browser.json<{ user: { name: string } }>('/api/auth/session?token=false')

    expect(session.user.name).toBe('Mia Lindqvist')
  })
})
