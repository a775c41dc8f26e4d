import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { recordSignIn, type SignedInAccount } from '../../../src/core/users/directory.ts'
import { listAccounts, readUserRows } from '../../../src/core/users/linked-accounts.ts'
import type { UserRecord } from '../../../src/core/users/user.ts'
import { advanceClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'

let accountCount = 0

/** An account that has never signed in before, unless `profile` names the id of one. */
function newAccount(
  profile: Partial<SignedInAccount['user']> = {},
  account: Partial<SignedInAccount> = {},
): SignedInAccount {
  accountCount += 1
  const user = { id: `id-${accountCount}`, ...profile }
  return {
    provider: 'first',
    issuer: 'https://first.example',
    accountId: user.id,
    clientId: 'c',
    scope: undefined,
    ...account,
    user,
  }
}

/** The user who signs in with this account. */
async function signIn(account: SignedInAccount): Promise<UserRecord> {
  const result = await recordSignIn(env, readConfig(env), { account, origin: {} })
  if (result.kind === 'blocked') throw new Error('The user is blocked.')
  return result.user
}

describe('the directory', () => {
  it('[S2] does not link accounts by email address by default', async () => {
    const email = { email: 'a@mail.example', emailVerified: true }
    const first = await signIn(newAccount(email))

    const second = await signIn(newAccount(email, { provider: 'second' }))

    expect(second.id).not.toBe(first.id)
  })

  it('[S2] links accounts by email address if enabled and both addresses are verified', async () => {
    const email = { email: 'b@mail.example', emailVerified: true }
    const first = await signIn(newAccount(email))

    const second = await signIn(
      newAccount(email, { provider: 'second', linksByEmailTo: { first: 'https://first.example' } }),
    )

    expect(second.id).toBe(first.id)
  })

  it('[S2][S5] links accounts whose addresses differ only in the case of ASCII letters', async () => {
    const first = await signIn(newAccount({ email: 'Case@Mail.Example', emailVerified: true }))

    const second = await signIn(
      newAccount(
        { email: 'cASE@mail.example', emailVerified: true },
        { provider: 'second', linksByEmailTo: { first: 'https://first.example' } },
      ),
    )

    expect(second.id).toBe(first.id)
  })

  it('[S2][S1] does not link to an account of another issuer than that of the provider', async () => {
    const email = { email: 'issuer@mail.example', emailVerified: true }
    const first = await signIn(newAccount(email, { issuer: 'https://former.example' }))

    const second = await signIn(
      newAccount(email, { provider: 'second', linksByEmailTo: { first: 'https://first.example' } }),
    )

    expect(second.id).not.toBe(first.id)
  })

  it('[S2] links an account to the user who has had the address for the longest time', async () => {
    const email = { email: 'oldest@mail.example', emailVerified: true }
    const oldest = await signIn(newAccount(email))
    advanceClock(1)
    await signIn(newAccount(email))

    const found = await signIn(
      newAccount(email, { provider: 'second', linksByEmailTo: { first: 'https://first.example' } }),
    )

    expect(found.id).toBe(oldest.id)
  })

  it('[S2] neither links by nor stores a placeholder for users without an address', async () => {
    const email = { email: 'someone@no-email.invalid', emailVerified: true }
    const first = await signIn(newAccount(email))

    const second = await signIn(
      newAccount(email, { provider: 'second', linksByEmailTo: { first: 'https://first.example' } }),
    )

    expect(second.id).not.toBe(first.id)
    expect(first).not.toHaveProperty('email')
  })

  it.each([
    ['keeps the scopes of an account', undefined, 'read write'],
    ['replaces the scopes of an account', 'read', 'read'],
  ])('%s if the provider names %s at a later sign-in', async (_, scope, stored) => {
    const account = newAccount({}, { scope: 'read write' })
    const { id } = await signIn(account)

    await signIn({ ...account, scope, user: { ...account.user, name: 'Renamed' } })

    expect((await readUserRows(env, id))?.accounts).toMatchObject([{ scope: stored }])
  })

  it('recognises an account without a name by its username', async () => {
    const { id } = await signIn(newAccount({ username: 'pat' }))

    expect(await listAccounts(env, id)).toMatchObject([{ label: 'pat' }])
  })

  it.each([
    ['boss@mail.example', 'ｂoss@mail.example'],
    ['ｂoss2@mail.example', 'boss2@mail.example'],
    ['kelvin@mail.example', '\u212aelvin@mail.example'],
    ['josé@mail.example', 'josé@mail.example'],
    ['ÄRA@mail.example', 'ära@mail.example'],
  ])('[S2][S5] does not link %s with %s: a local part is not in ASCII', async (stored, other) => {
    const first = await signIn(newAccount({ email: stored, emailVerified: true }))

    const second = await signIn(
      newAccount(
        { email: other, emailVerified: true },
        { provider: 'second', linksByEmailTo: { first: 'https://first.example' } },
      ),
    )

    expect(second.id).not.toBe(first.id)
  })

  it.each([
    [false, true],
    [true, false],
    [undefined, true],
    [true, undefined],
  ])(
    '[S2][GHSA-g38m-r43w-p2q7] does not link them if one is not: %s, %s',
    async (isFirstVerified, isSecondVerified) => {
      const email = `c${accountCount}@mail.example`
      const first = await signIn(newAccount({ email, emailVerified: isFirstVerified }))

      const second = await signIn(
        newAccount(
          { email, emailVerified: isSecondVerified },
          { provider: 'second', linksByEmailTo: { first: 'https://first.example' } },
        ),
      )

      expect(second.id).not.toBe(first.id)
    },
  )

  it('[S1] identifies an account by provider and id alone', async () => {
    const first = await signIn(newAccount({ id: 'same', name: 'Same' }))

    const elsewhere = await signIn(newAccount({ id: 'same', name: 'Same' }, { provider: 'second' }))
    const renamed = await signIn(newAccount({ id: 'same', name: 'New Name' }))

    expect(elsewhere.id).not.toBe(first.id)
    expect(renamed.id).toBe(first.id)
  })

  it('[S1] identifies an account by provider, issuer and id', async () => {
    const account = newAccount()
    const first = await signIn(account)

    const atAnotherIssuer = await signIn({ ...account, issuer: 'https://second.example' })

    expect(atAnotherIssuer.id).not.toBe(first.id)
    expect((await signIn(account)).id).toBe(first.id)
  })

  it('[Q1] creates one user for a hundred simultaneous first sign-ins', async () => {
    const account = newAccount()

    const users = await Promise.all(Array.from({ length: 100 }, () => signIn(account)))

    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
  })

  it('[S10] does not assign a user id twice', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await signIn(newAccount())).id),
    )

    expect(new Set(ids).size).toBe(50)
  })
})
