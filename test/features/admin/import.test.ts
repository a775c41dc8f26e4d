import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { recordSignIn, type SignedInAccount } from '../../../src/core/users/directory.ts'
import { importUsers } from '../../../src/features/admin/users/import-users.ts'
import { readUserDetails, unblockUser } from '../../../src/features/admin/users/manage-users.ts'
import { searchUsers } from '../../../src/features/admin/users/search-users.ts'
import { Browser } from '../../browser.ts'
import { readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'

const config = readConfig(env)

function importLines(...lines: unknown[]) {
  return importUsers(env, config, { lines, origin: { actor: 'client:cli' } })
}

/** The users with this account id. */
async function findUsers(accountId: string) {
  const { items: users } = await searchUsers(env, { query: accountId, limit: 10 })
  return users
}

/** Signs in with an account of the platform, and returns the id of the user. */
async function signInWith(account: Partial<SignedInAccount>): Promise<string | undefined> {
  const result = await recordSignIn(env, config, {
    account: {
      provider: 'tiktok',
      issuer: 'https://www.tiktok.com',
      accountId: newId(),
      clientId: 'app',
      scope: undefined,
      user: { id: '' },
      ...account,
    },
    origin: {},
  })
  return result.kind === 'claimed' ? result.user.id : undefined
}

function newId(): string {
  return `imported-${crypto.randomUUID()}`
}

describe('importing users', () => {
  it('stores a user with their account, under the rules of a sign-in', async () => {
    const id = newId()

    const result = await importLines({
      provider: 'tiktok',
      provider_account_id: id,
      name: `  ${'n'.repeat(300)}`,
      username: 'imported',
      email: 'Imported@Mail.EXAMPLE',
      email_verified: true,
      picture: 'javascript:alert(1)',
      url: 'https://www.tiktok.com/@imported',
      union_id: `union of ${id}`,
      created_at: 1_600_000_000,
    })

    expect(result).toMatchObject({ imported: 1, existing: 0, problems: [] })
    const [user] = await findUsers(id)
    const details = await readUserDetails(env, readConfig(env), user?.id ?? '')
    expect(details).toMatchObject({
      name: 'n'.repeat(200),
      username: 'imported',
      url: 'https://www.tiktok.com/@imported',
      created_at: 1_600_000_000,
      accounts: [{ provider: 'tiktok', issuer: 'https://www.tiktok.com', account_id: id }],
    })
    expect(details?.image).toBeUndefined()
  })

  it('[S2] does not store an email address, even if the line claims that it is verified', async () => {
    const id = newId()
    const email = `${id}@mail.example`

    await importLines({
      provider: 'tiktok',
      provider_account_id: id,
      email,
      email_verified: true,
    })

    expect((await findUsers(id))[0]?.email).toBeUndefined()
    expect(await findUsers(email)).toEqual([])
  })

  it('[S2] does not link a later sign-in with the same verified email address', async () => {
    const id = newId()
    const email = `${id}@mail.example`
    await importLines({ provider: 'tiktok', provider_account_id: id, email, email_verified: true })

    const userId = await signInWith({
      accountId: newId(),
      user: { id: '', email, emailVerified: true },
      linksByEmailTo: { tiktok: 'https://www.tiktok.com' },
    })

    expect(userId).not.toBe((await findUsers(id))[0]?.id)
  })

  it('lets the user sign in with the account as the imported user', async () => {
    const { browser: former, handle, userId } = await signInNewUser()
    const accountId =
      (await readUserDetails(env, readConfig(env), userId))?.accounts[0]?.account_id ?? ''
    await former.post('/account/delete', {})
    await importLines({ provider: 'tiktok', provider_account_id: accountId, name: 'Before' })

    const browser = new Browser()
    await browser.signIn(handle)

    const [imported] = await findUsers(accountId)
    expect((await browser.session())?.user.id).toBe(imported?.id)
    expect(imported?.id).not.toBe(userId)
    expect(imported?.name).not.toBe('Before')
  })

  it('changes nothing if the same lines are imported again', async () => {
    const lines = Array.from({ length: 3 }, (_, index) => ({
      provider: 'tiktok',
      provider_account_id: newId(),
      name: `User ${index}`,
    }))
    await importLines(...lines)
    const before = await findUsers(lines[0]?.provider_account_id ?? '')

    const again = await importLines(...lines.map((line) => ({ ...line, name: 'Changed' })))

    expect(again).toMatchObject({ imported: 0, existing: 3, problems: [] })
    expect(await findUsers(lines[0]?.provider_account_id ?? '')).toEqual(before)
  })

  it('imports an account once if it is listed twice, and leaves no user without an account', async () => {
    const line = { provider: 'tiktok', provider_account_id: newId(), name: `Twice ${newId()}` }

    const result = await importLines(line, line)

    expect(result).toMatchObject({ imported: 1, existing: 1, problems: [] })
    const byName = await searchUsers(env, { query: line.name, limit: 10 })
    expect(byName.items).toHaveLength(1)
    const orphans = env.DIRECTORY.prepare(
      'SELECT count(*) AS count FROM users WHERE name = ? AND id NOT IN (SELECT user_id FROM accounts)',
    ).bind(line.name)
    expect(await orphans.first('count')).toBe(0)
  })

  it('assigns accounts with the same union_id to one new user', async () => {
    const union_id = newId()
    const ids = [newId(), newId()]

    const result = await importLines(
      ...ids.map((id) => ({ provider: 'tiktok', provider_account_id: id, union_id })),
    )

    expect(result).toMatchObject({ imported: 2, existing: 0, problems: [] })
    const found = await Promise.all(ids.map((id) => findUsers(id)))
    expect(new Set(found.flat().map(({ id }) => id)).size).toBe(1)
  })

  it('[S6] does not add an account to an existing user with the same union_id', async () => {
    const { userId } = await signInNewUser()
    const union_id = (await readUserDetails(env, readConfig(env), userId))?.accounts[0]?.union_id
    const id = newId()
    expect(union_id).toBeDefined()

    const result = await importLines({ provider: 'tiktok', provider_account_id: id, union_id })

    expect(result).toMatchObject({ imported: 0, existing: 0 })
    expect(result.problems).toMatchObject([
      { line: 1, problem: expect.stringContaining('existing user') },
    ])
    expect(await findUsers(id)).toEqual([])
  })

  it('[S6] does not add an account to the user of a stored account that is listed with the same union_id', async () => {
    const { userId } = await signInNewUser()
    const stored = (await readUserDetails(env, readConfig(env), userId))?.accounts[0]?.account_id
    const id = newId()
    const lines = [stored, id].map((provider_account_id) => ({
      provider: 'tiktok',
      provider_account_id,
      union_id: `union of ${id}`,
    }))

    const result = await importLines(...lines)

    expect(result).toMatchObject({ imported: 0, existing: 1, problems: [{ line: 2 }] })
    expect(await findUsers(id)).toEqual([])
  })

  it('[S6] does not let the first sign-in of a user lead to an imported user with the same union_id', async () => {
    const id = newId()
    const union_id = newId()
    await importLines({ provider: 'tiktok', provider_account_id: id, union_id, created_at: 1 })

    const userId = await signInWith({ accountId: newId(), user: { id: '', unionId: union_id } })

    expect(userId).not.toBe((await findUsers(id))[0]?.id)
  })

  it.each(['settings', 'database'])(
    '[S6] does not let the account of an administrator of the %s share its user',
    async (source) => {
      const ids = [newId(), newId()]
      const name = `tiktok:${ids[1]}`
      if (source === 'database') {
        await env.DIRECTORY.prepare(
          "INSERT INTO administrators VALUES (?, 'support', 1, 'operator')",
        )
          .bind(name)
          .run()
      }
      const administrators = source === 'settings' ? [name] : []
      const lines = ids.map((id) => ({
        provider: 'tiktok',
        provider_account_id: id,
        union_id: `union of ${ids[0]}`,
      }))
      const importAs = (imported: unknown[]) =>
        importUsers(
          env,
          { ...config, administrators },
          { lines: imported, origin: { actor: 'client:cli' } },
        )

      const result = await importAs(lines)

      expect(result).toMatchObject({ imported: 0, problems: [{ line: 1 }, { line: 2 }] })
      expect(result.problems[0]?.problem).toContain('administrator')
      expect(await importAs(lines.slice(1))).toMatchObject({ imported: 1, problems: [] })
    },
  )

  it('keeps a block', async () => {
    const id = newId()

    await importLines({ provider: 'tiktok', provider_account_id: id, blocked: true })

    expect(await signInWith({ accountId: id })).toBeUndefined()
    const [user] = await findUsers(id)
    expect(await readUserDetails(env, readConfig(env), user?.id ?? '')).toMatchObject({
      blocked_at: expect.any(Number),
      is_block_incomplete: false,
    })
    await unblockUser(env, config, { userId: user?.id ?? '', origin: { actor: 'client:cli' } })
    expect(await signInWith({ accountId: id })).toBe(user?.id)
  })

  it('[S6] keeps the block of a user with several accounts, whichever line has it', async () => {
    const [id, other, former_id] = [newId(), newId(), newId()]

    await importLines(
      { provider: 'tiktok', provider_account_id: id, former_id },
      { provider: 'tiktok', provider_account_id: other, former_id, blocked: true },
    )

    expect(await signInWith({ accountId: id })).toBeUndefined()
  })

  it('[S6] blocks an account whose provider is not enabled yet', async () => {
    const [id, other, former_id] = [newId(), newId(), newId()]
    const line = { provider: 'later', provider_account_id: id, former_id, blocked: true }

    const result = await importLines(
      { ...line, issuer: 'https://later.example/' },
      { provider: 'tiktok', provider_account_id: other, former_id },
    )

    expect(result).toMatchObject({ imported: 2, problems: [] })
    const account = { provider: 'later', issuer: 'https://later.example', accountId: id }
    expect(await signInWith(account)).toBeUndefined()
    expect(await signInWith({ accountId: other })).toBeUndefined()
    const { problems } = await importLines(
      line,
      { ...line, provider: 'A b', issuer: '' },
      { ...line, provider: 'email', provider_account_id: 'Mia@Mail.example', issuer: '' },
    )
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('To block the account nevertheless, add its issuer'),
      'The provider A b is not enabled.',
      'The provider email is not enabled.',
    ])
  })

  it('[S6] blocks a further account of a user who was imported before, as a user of its own', async () => {
    const [id, other, former_id] = [newId(), newId(), newId()]
    const line = { provider: 'tiktok', former_id, blocked: true }
    await importLines({ ...line, provider_account_id: id })

    const later = await importLines({ ...line, provider_account_id: other })

    expect(later).toMatchObject({ imported: 1, problems: [], ids: [] })
    expect(await signInWith({ accountId: other })).toBeUndefined()
    const [first] = await findUsers(id)
    expect(first?.accounts.map(({ account_id }) => account_id)).toEqual([id])
    expect((await findUsers(former_id)).map((user) => user.id)).toEqual([first?.id])
    expect(await importLines({ ...line, provider_account_id: other })).toMatchObject({
      existing: 1,
    })
  })

  it('assigns accounts with the same former_id to one new user, and returns the new id', async () => {
    const formerId = `auth0|${newId()}`
    const accountIds = [newId(), newId()]
    const lines = accountIds.map((id) => ({
      provider: 'tiktok',
      provider_account_id: id,
      former_id: formerId,
    }))

    const result = await importLines(...lines)

    const [user] = await findUsers(formerId)
    expect(result).toMatchObject({ imported: 2, ids: [{ formerId, id: user?.id }] })
    expect(user?.accounts.map(({ account_id }) => account_id).toSorted()).toEqual(
      accountIds.toSorted(),
    )
    expect(await readUserDetails(env, readConfig(env), user?.id ?? '')).toMatchObject({
      former_id: formerId,
    })
    expect(await importLines(...lines)).toMatchObject({
      imported: 0,
      existing: 2,
      ids: [{ formerId, id: user?.id }],
    })
  })

  it('returns the new ids of all users of a large import', async () => {
    const lines = Array.from({ length: 450 }, () => ({
      provider: 'tiktok',
      provider_account_id: newId(),
      former_id: newId(),
    }))

    const { ids } = await importLines(...lines)

    expect(ids.map(({ formerId }) => formerId).toSorted()).toEqual(
      lines.map(({ former_id }) => former_id).toSorted(),
    )
  })

  it('[S6] does not assign accounts of two issuers to one user because of their union_id', async () => {
    const union_id = newId()
    const lines = ['https://a.example', 'https://b.example'].map((issuer) => ({
      provider: 'tiktok',
      provider_account_id: newId(),
      issuer,
      union_id,
    }))

    await importLines(...lines)

    const users = await Promise.all(lines.map((line) => findUsers(line.provider_account_id)))
    expect(new Set(users.flat().map(({ id }) => id)).size).toBe(2)
  })

  it('[S6] adds no account to a user who was imported earlier', async () => {
    const former_id = newId()
    await importLines({ provider: 'tiktok', provider_account_id: newId(), former_id })

    const later = await importLines({ provider: 'tiktok', provider_account_id: newId(), former_id })

    expect(later).toMatchObject({ imported: 0, problems: [{ line: 1 }] })
    expect(later.problems[0]?.problem).toContain('belongs to an existing user')
  })

  it('reports the fields of each line that are not stored', async () => {
    const result = await importLines(
      { provider: 'tiktok', provider_account_id: newId() },
      { provider: 'tiktok', provider_account_id: newId(), app_metadata: {}, email: 'a@b.example' },
      { provider: 'nowhere', passwordHash: 'x' },
    )

    expect(result.unusedFields).toEqual([
      { line: 2, fields: ['app_metadata', 'email'] },
      { line: 3, fields: ['passwordHash'] },
    ])
  })

  it('reports the fields of each line that are cut or left out', async () => {
    const account = () => ({ provider: 'tiktok', provider_account_id: newId() })
    const result = await importLines(
      { ...account(), name: ' Mia ', username: '', picture: 'https://a.example', url: null },
      { ...account(), name: 'x'.repeat(201), image: 'a.png', url: 'javascript:alert(1)' },
      { ...account(), picture: 'http://a.example/', image: 'b.png', username: 'a\u202Eb' },
      { ...account(), name: 1, picture: 'c.png' },
    )

    expect(result.changedFields).toEqual([
      { line: 2, fields: ['name', 'image', 'url'] },
      { line: 3, fields: ['username', 'picture'] },
    ])
    expect(result).toMatchObject({ imported: 3, problems: [{ line: 4 }] })
  })

  it('uses the given issuer', async () => {
    const id = newId()

    await importLines({ provider: 'tiktok', provider_account_id: id, issuer: 'https://a.example/' })

    expect((await findUsers(id))[0]?.accounts[0]?.issuer).toBe('https://a.example')
  })

  it.each([
    [null, 'This is not a JSON object.'],
    [[], 'This is not a JSON object.'],
    [{ provider_account_id: 'a' }, 'provider is missing.'],
    [{ provider: 'nowhere', provider_account_id: 'a' }, 'The provider nowhere is not enabled.'],
    [{ provider: 'tiktok' }, /^provider_account_id is missing/],
    [{ provider: 'tiktok', provider_account_id: '' }, 'provider_account_id is empty.'],
    [{ provider: 'tiktok', provider_account_id: 'a', blocked: 'yes' }, /^blocked must be true/],
    [{ provider: 'tiktok', provider_account_id: 'a', former_id: 7 }, /^former_id must be a string/],
    [{ provider: 'tiktok', provider_account_id: 'a'.repeat(256) }, /too long/],
    [{ provider: 'tiktok', provider_account_id: 'a', name: 1 }, /wrong type/],
    [{ provider: 'tiktok', provider_account_id: 'a', issuer: 1 }, 'issuer must be a string.'],
    [{ provider: 'tiktok', provider_account_id: 'a', issuer: '' }, 'issuer is empty.'],
    [{ provider: 'tiktok', provider_account_id: 'a', issuer: '/' }, 'issuer is empty.'],
    [{ provider: 'tiktok', provider_account_id: 'a', created_at: 99_999_999_999 }, /^created_at/],
    [{ provider: 'tiktok', provider_account_id: 'a', created_at: '1' }, /^created_at/],
  ])('reports the problem of a line and imports the others: %j', async (line, problem) => {
    const id = newId()

    const result = await importLines(line, { provider: 'tiktok', provider_account_id: id })

    expect(result).toMatchObject({ imported: 1, existing: 0 })
    expect(result.problems).toHaveLength(1)
    expect(result.problems[0]?.line).toBe(1)
    expect(result.problems[0]?.problem).toMatch(problem)
  })

  it('imports a thousand lines at once', async () => {
    const run = newId()
    const lines = Array.from({ length: 1000 }, (_, index) => ({
      provider: 'tiktok',
      provider_account_id: `${run}-${index}`,
      name: `\u{1F600}`.repeat(200),
      picture: `https://images.example/${'p'.repeat(2000)}`,
      url: `https://www.example/${'u'.repeat(2000)}`,
    }))

    const result = await importLines(...lines)

    expect(result).toMatchObject({ imported: 1000, existing: 0, problems: [] })
    expect(await findUsers(`${run}-999`)).toHaveLength(1)
  })
})
