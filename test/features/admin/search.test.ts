import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { listAuditEntries } from '../../../src/administration/read-audit.ts'
import { recordSignIn } from '../../../src/core/users/directory.ts'
import {
  FIND_BY_NAME,
  FIND_EXACT,
  LISTS,
  searchUsers,
  USER_LISTS,
  type UserList,
} from '../../../src/features/admin/users/search-users.ts'
import type { User } from '../../../src/provider-interface/oauth-types.ts'
import { readConfig } from '../../deployment.ts'

const config = readConfig(env)

/** Distinguishes the users of this test from those of other tests in the same database. */
const unique = crypto.randomUUID().slice(0, 8)

async function createUser(profile: User, provider = 'first'): Promise<string> {
  const account = {
    provider,
    issuer: `https://${provider}.example`,
    accountId: profile.id,
    clientId: 'c',
    scope: undefined,
    user: profile,
  }
  const result = await recordSignIn(env, config, { account, origin: {} })
  if (result.kind === 'blocked') throw new Error('The user is blocked.')
  return result.user.id
}

/** The ids of the users on one page. */
async function find(query: string, limit = 10): Promise<string[]> {
  const { items: users } = await searchUsers(env, { query, limit })
  return users.map(({ id }) => id)
}

/** The ids of the users on all pages of this size. */
async function findAll(query: string, limit: number, list?: UserList): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await searchUsers(env, { query, list, limit, cursor })
    ids.push(...page.items.map(({ id }) => id))
    expect(page.items.length).toBeLessThanOrEqual(limit)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return ids
}

describe('searching for users', () => {
  let ada: string
  let adam: string
  let eve: string

  beforeAll(async () => {
    ada = await createUser({
      id: `${unique}-1`,
      name: `${unique} Ada`,
      username: `countess-${unique}`,
      email: `Ada-${unique}@Mail.example`,
      emailVerified: true,
    })
    adam = await createUser({ id: `${unique}-2`, name: `${unique} adam` }, 'second')
    eve = await createUser({
      id: `${unique}-3`,
      name: 'Eve',
      username: `${unique} ADB`,
      email: `eve-${unique}@mail.example`,
    })
  })

  it('finds a user by id', async () => {
    expect(await find(ada)).toEqual([ada])
  })

  it('finds a user by a verified email address in any spelling that is the same address', async () => {
    expect(await find(` Ada-${unique}@MAIL.example`)).toEqual([ada])
  })

  it.each([1, 2, 50])(
    'finds users by the beginning of a verified address, each once, on pages of %i',
    async (limit) => {
      const text = `mail${limit}.${unique}`
      const verified = (email: string) => ({ email, emailVerified: true })
      const byName = await createUser({ id: `${text}-0`, name: text, ...verified(`${text}@a.b`) })
      const later = await createUser({ id: `${text}-1`, ...verified(`${text}.z@mail.example`) })
      const first = await createUser({ id: `${text}-2`, ...verified(`${text}.B@mail.example`) })
      const second = await createUser({ id: `${text}-3`, ...verified(`${text}.b@mail.example`) })
      await createUser({ id: `${text}-4`, email: `${text}.c@mail.example` })
      // The same user has two accounts with such an address.
      await env.DIRECTORY.prepare(
        `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, verified_email, created_at, updated_at)
         VALUES ('third', '', ?1, ?2, '', ?3, 1, 1), ('fourth', '', ?1, ?2, '', ?4, 1, 1)`,
      )
        .bind(`${text}-5`, later, `${text}.z@mail.example`, `${text}.a@mail.example`)
        .run()
      const byPart = await createUser({ id: `${text}-6`, name: `Not ${text}` })

      const found = await findAll(text.toUpperCase(), limit)

      const sameAddress = [first, second].filter((id) => found.includes(id))
      expect(found).toEqual([byName, later, ...sameAddress, byPart])
      expect(sameAddress.length).toBeGreaterThan(0)
    },
  )

  it('does not find a user by an address that is not verified', async () => {
    expect(await find(`eve-${unique}@mail.example`)).toEqual([])
  })

  it("finds a user by the provider's id of an account, alone and with the provider", async () => {
    expect(await find(`${unique}-2`)).toEqual([adam])
    expect(await find(`second:${unique}-2`)).toEqual([adam])
    expect(await find(`first:${unique}-2`)).toEqual([])
  })

  it('finds users by the beginning of their name or username in upper or lower case', async () => {
    expect(await find(`${unique.toUpperCase()} AD`)).toEqual([ada, adam, eve])
    expect(await find(`${unique} ada`)).toEqual([ada, adam])
    expect(await find(`countess-${unique}`)).toEqual([ada])
  })

  it('finds users by any part of their name or username, after those whose name begins with it', async () => {
    const part = unique.slice(1)

    expect(await find(`${part.toUpperCase()} ad`)).toEqual([ada, adam, eve])
    expect(await find(`ountess-${unique}`)).toEqual([ada])
    const beginning = await createUser({ id: `${unique}-4`, name: `${part} ADA` })
    expect(await findAll(`${part} ad`, 1)).toEqual([beginning, ada, adam, eve])
  })

  it('reads the names for a part from the indexes alone', async () => {
    const plan = await env.DIRECTORY.prepare(`EXPLAIN QUERY PLAN ${FIND_BY_NAME.part}`)
      .bind('a', 'b', 'a', 1, 1)
      .all<{ detail: string }>()

    const scans = plan.results.map(({ detail }) => detail).filter((step) => step.startsWith('SCAN'))
    expect(scans).toEqual([
      'SCAN users USING COVERING INDEX users_by_name',
      'SCAN users USING COVERING INDEX users_by_username',
    ])
  })

  it('reads changes of administrators by the index of events', async () => {
    let statement = ''
    const DIRECTORY = new Proxy(env.DIRECTORY, {
      get: (target, name) => (sql: string) => {
        if (name !== 'prepare') throw new Error('Only prepared statements are expected.')
        statement = sql
        return target.prepare(sql)
      },
    })
    await listAuditEntries(
      { ...env, DIRECTORY },
      { changes: ['client_created'], actor: 'usr_a', limit: 1 },
    )

    const plan = await env.DIRECTORY.prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .bind('[]', 'usr_a', 1, 1)
      .all<{ detail: string }>()

    const steps = plan.results.map(({ detail }) => detail)
    expect(steps.filter((step) => step.startsWith('SCAN audit'))).toEqual([])
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH audit USING .*audit_by_event/))
  })

  it('treats wildcards as ordinary characters', async () => {
    expect(await find(`${unique.slice(0, 4)}%`)).toEqual([])
    expect(await find(`${unique.slice(0, 4)}_`)).toEqual([])
  })

  it('returns the accounts, and since when the user is blocked', async () => {
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 5 WHERE id = ?').bind(adam).run()

    const { items: users } = await searchUsers(env, { query: adam, limit: 1 })

    expect(users).toMatchObject([
      {
        id: adam,
        name: `${unique} adam`,
        blocked_at: 5,
        accounts: [
          { provider: 'second', issuer: 'https://second.example', account_id: `${unique}-2` },
        ],
      },
    ])
  })

  it.each([1, 2, 3, 50])('lists every match once on pages of %i', async (limit) => {
    const prefix = `p${unique}`
    const ids: string[] = []
    for (const [index, name] of ['b', 'B', 'b', 'a', 'c', 'b'].entries()) {
      const id = `${prefix}-${limit}-${index}`
      // Every second user has a matching username as well, and one has nothing else.
      const username = index % 2 ? `${prefix}${limit} ${name}` : undefined
      const profile = { id, ...(username && { username }) }
      ids.push(
        await createUser({ ...profile, name: index === 3 ? 'x' : `${prefix}${limit} ${name}` }),
      )
    }

    const found = await findAll(`${prefix}${limit} `, limit)

    expect(found.toSorted()).toEqual(ids.toSorted())
    expect(found.at(-1)).toBe(ids[3])
  })

  it.each([1, 2, 3])('lists exact matches first, and once, on pages of %i', async (limit) => {
    const text = `exact-${unique}-${limit}`
    const exact = [
      await createUser({ id: text, name: `${text} a` }),
      await createUser({ id: text, name: `${text} c` }, 'second'),
    ]
    const others = [
      await createUser({ id: `${text}-1`, name: `${text} b` }),
      await createUser({ id: `${text}-2`, name: `${text} d` }),
      await createUser({ id: `${text}-3`, username: `${text} e` }),
    ]

    expect(await findAll(text, limit)).toEqual([...exact, ...others])
  })

  it('lists all users, the newest first, if the query is empty', async () => {
    const newest = await createUser({ id: `${unique}-newest` })
    const { results } = await env.DIRECTORY.prepare('SELECT id FROM users').all<{ id: string }>()

    expect((await find(''))[0]).toBe(newest)
    expect((await findAll('', 7)).toSorted()).toEqual(results.map(({ id }) => id).toSorted())
  })

  it.each([1, 3, 100])(
    'lists users by name, by age, and those who are blocked, on pages of %i',
    async (limit) => {
      const ids = [
        await createUser({ id: `${unique}-b${limit}`, name: 'Bo' }),
        await createUser({ id: `${unique}-a${limit}`, name: 'an' }),
        await createUser({ id: `${unique}-n${limit}` }),
      ]
      const [bo = '', an = '', unnamed = ''] = ids
      await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 7 WHERE id IN (?, ?)')
        .bind(bo, an)
        .run()
      const own = async (list: UserList) =>
        (await findAll('', limit, list)).filter((id) => ids.includes(id))

      expect(await own('name')).toEqual([an, bo])
      expect(await own('name_desc')).toEqual([bo, an])
      expect(await own('oldest')).toEqual([bo, an, unnamed])
      expect(await own('newest')).toEqual([unnamed, an, bo])
      expect(await own('blocked')).toEqual([an, bo])
    },
  )

  it.each(['!', 'eyJ', 'W10', ''])(
    'starts from the beginning if the cursor is %j',
    async (cursor) => {
      const { items: users } = await searchUsers(env, { query: ada, cursor, limit: 1 })

      expect(users).toHaveLength(1)
    },
  )

  it('finds a user by the name of the last sign-in', async () => {
    const user = { id: crypto.randomUUID(), name: `${unique} before`, username: unique }
    const userId = await createUser(user)

    await createUser({ ...user, name: `${unique} after` })

    expect(await find(`${unique} after`)).toEqual([userId])
    expect(await find(`${unique} before`)).toEqual([])
  })

  it.each<[string, string, readonly (string | number)[]]>([
    ...USER_LISTS.map(
      (list) => [list, LISTS[list].statement, ['1', 1, 1]] satisfies [string, string, unknown[]],
    ),
    ['addresses', FIND_BY_NAME.email, ['a', 'b', 'a', 1, 1]],
    ['exact matches', FIND_EXACT, ['a', 'a', 'a', 'a', 1]],
    ['names', FIND_BY_NAME.name, ['a', 'b', 'a', 1, 1]],
    ['usernames', FIND_BY_NAME.username, ['a', 'b', 'a', 1, 1]],
  ])('reads %s by an index', async (_, statement, values) => {
    const plan = await env.DIRECTORY.prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .bind(...values)
      .all<{ detail: string }>()

    const steps = plan.results.map(({ detail }) => detail)
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
    const searches = steps.filter((step) => step.startsWith('SEARCH'))
    expect(searches.length).toBeGreaterThan(0)
    for (const search of searches)
      expect(search).toMatch(/USING ((INTEGER )?PRIMARY KEY|(COVERING )?INDEX)/)
    // Those with the same address are sorted by their rowid.
    const sorted = steps.filter((step) => step.includes('ORDER BY'))
    expect(sorted.filter((step) => !step.includes('LAST TERM'))).toEqual([])
  })
})
