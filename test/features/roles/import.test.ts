import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteUserCompletely } from '../../../src/core/users/remove-user.ts'
import { admin } from '../../../src/features/admin/feature.ts'
import { importUsers } from '../../../src/features/admin/users/import-users.ts'
import { Browser } from '../../browser.ts'
import { configReaderWith, readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'

const config = readConfig(env)
const origin = { actor: 'client:cli' }

/** Imports a user with an account of the stand-in, who has not signed in since. */
async function importUser(fields: object, importingConfig = config) {
  const { userId, handle } = await signInNewUser()
  const account = await env.DIRECTORY.prepare(
    'SELECT provider, issuer, provider_account_id FROM accounts WHERE user_id = ?',
  )
    .bind(userId)
    .first<{ provider_account_id: string }>()
  await deleteUserCompletely(env, config, { userId, origin })
  const line = { ...account, ...fields }
  const result = await importUsers(env, importingConfig, { lines: [line], origin })
  return { handle, result, accountId: account?.provider_account_id }
}

describe('the field roles of an imported user', () => {
  it('applies from the first sign-in on', async () => {
    const { handle, result } = await importUser({ roles: ['author', 'author'] })
    const browser = new Browser()

    await browser.signIn(handle)

    expect(result).toMatchObject({ imported: 1, problems: [], unusedFields: [] })
    expect((await browser.session())?.user).toMatchObject({ roles: ['author'] })
  })

  it('rejects a line with an unknown role', async () => {
    const { result } = await importUser({ roles: ['editr'] })

    expect(result).toMatchObject({ imported: 0 })
    expect(result.problems[0]?.problem).toContain('"editr" is not a role of this deployment')
  })

  it('is not used by a deployment without roles()', async () => {
    const other = configReaderWith({ features: [admin()] })(env)

    const { result, accountId } = await importUser({ roles: ['editor'] }, other)

    expect(result).toMatchObject({ imported: 1, unusedFields: [{ line: 1, fields: ['roles'] }] })
    const query =
      'SELECT roles FROM users JOIN accounts ON user_id = users.id WHERE provider_account_id = ?'
    expect(await env.DIRECTORY.prepare(query).bind(accountId).first()).toEqual({ roles: null })
  })

  it('may be on any line of the user', async () => {
    const formerId = `former ${crypto.randomUUID()}`
    const line = (fields: object) => ({
      provider: 'tiktok',
      provider_account_id: `imported-${crypto.randomUUID()}`,
      former_id: formerId,
      ...fields,
    })

    const lines = [line({}), line({ roles: ['editor'] })]
    await importUsers(env, config, { lines, origin })

    const query = 'SELECT roles FROM users WHERE former_id = ?'
    expect(await env.DIRECTORY.prepare(query).bind(formerId).first()).toEqual({
      roles: '{"names":["editor"],"version":0}',
    })
  })
})
