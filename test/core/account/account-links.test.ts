import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  type AdditionMarks,
  linkAccount,
  recordSignIn,
  type SignedInAccount,
} from '../../../src/core/users/directory.ts'
import type { LinkedAccount } from '../../../src/core/users/directory-rows.ts'
import {
  confirmAccount,
  listAccounts,
  readUserRows,
  undoLink,
  unlinkAccount,
} from '../../../src/core/users/linked-accounts.ts'
import { findRemovedAccount } from '../../../src/core/users/removed-accounts.ts'
import { advanceClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'

/** A new account, with these changes. */
function newAccount(changes: Partial<SignedInAccount> = {}, unionId?: string): SignedInAccount {
  const id = crypto.randomUUID()
  return {
    provider: 'first',
    issuer: 'https://first.example',
    accountId: id,
    clientId: 'app',
    scope: undefined,
    user: { id, ...(unionId && { unionId }) },
    ...changes,
  }
}

async function signIn(account: SignedInAccount): Promise<string> {
  const result = await recordSignIn(env, readConfig(env), { account, origin: {} })
  if (result.kind === 'blocked') throw new Error('The user is blocked.')
  return result.user.id
}

function link(
  userId: string,
  account: SignedInAccount,
  marks: AdditionMarks = { unconfirmedSid: undefined, confirmed: [] },
) {
  return linkAccount(env, readConfig(env), { userId, account, marks, origin: {} })
}

async function unlink(userId: string, account: LinkedAccount) {
  const remaining = await listAccounts(env, userId)
  const origin = { actor: userId }
  return unlinkAccount(env, readConfig(env), { userId, account, remaining, origin })
}

async function accountIds(userId: string): Promise<string[]> {
  return (await listAccounts(env, userId)).map(({ accountId }) => accountId)
}

describe('two ids of one person in apps of the same developer', () => {
  it('[S7] belong to one user, and are unlinked together', async () => {
    const unionId = crypto.randomUUID()
    const [sandbox, production, other] = [
      newAccount({}, unionId),
      newAccount({ clientId: 'another app' }, unionId),
      newAccount({ provider: 'second' }),
    ] as const
    const userId = await signIn(sandbox)
    expect(await signIn(production)).toBe(userId)
    expect(await link(userId, other)).toBe('linked')
    const [linked] = await listAccounts(env, userId)
    if (!linked) throw new Error('The account is missing.')

    await unlink(userId, linked)

    expect(await accountIds(userId)).toEqual([other.accountId])
  })

  it.each([
    ['another provider', { provider: 'second' }],
    ['another issuer', { issuer: 'https://second.example' }],
  ])('[S7] belong to two users if one is of %s', async (_, changes) => {
    const unionId = crypto.randomUUID()

    const first = await signIn(newAccount({}, unionId))
    const second = await signIn(newAccount(changes, unionId))

    expect(second).not.toBe(first)
  })

  it('[S7] belong to two users if the provider sends no id that they share', async () => {
    expect(await signIn(newAccount())).not.toBe(await signIn(newAccount()))
  })
})

describe('confirming an account', () => {
  it('[S7] confirms its ids in other apps of the same developer, too, and no other account', async () => {
    const userId = await signIn(newAccount())
    const unionId = crypto.randomUUID()
    const marks = { unconfirmedSid: 'ses_x', confirmed: [] }
    const [sandbox, production, other] = [
      newAccount({}, unionId),
      newAccount({ clientId: 'another app' }, unionId),
      newAccount(),
    ] as const
    for (const account of [sandbox, production, other]) await link(userId, account, marks)
    const [, linked] = await listAccounts(env, userId)
    if (!linked) throw new Error('The account is missing.')

    await confirmAccount(env, readConfig(env), {
      userId,
      account: linked,
      origin: { actor: userId },
    })

    const unconfirmed = (await listAccounts(env, userId)).filter(
      ({ unconfirmedSid }) => unconfirmedSid !== undefined,
    )
    expect(unconfirmed.map(({ accountId }) => accountId)).toEqual([other.accountId])
  })
})

describe('unlinking an account', () => {
  it("does not affect another user's account", async () => {
    const [own, second, foreign] = [newAccount(), newAccount(), newAccount()] as const
    const userId = await signIn(own)
    await link(userId, second)
    const otherId = await signIn(foreign)
    await link(otherId, newAccount())
    const before = await accountIds(otherId)
    const [linked] = await listAccounts(env, otherId)
    if (!linked) throw new Error('The account is missing.')

    await unlink(userId, linked)

    expect(await accountIds(otherId)).toEqual(before)
    expect(await accountIds(userId)).toHaveLength(2)
  })

  it('keeps the last one, so that signing in with it leads to the same user', async () => {
    const account = newAccount()
    const userId = await signIn(account)
    const [linked] = await listAccounts(env, userId)
    if (!linked) throw new Error('The account is missing.')

    await unlink(userId, linked)

    expect(await signIn(account)).toBe(userId)
  })
})

describe('an account that the provider reports as removed', () => {
  const now = Math.floor(Date.now() / 1000)

  it.each([
    ['at the time of the last sign-in', 0, true],
    ['a minute before it, by a clock that is slow', -60, true],
    ['earlier', -70, false],
  ])('is removed if that happened %s (%i s): %s', async (_, seconds, isRemoved) => {
    const account = newAccount()
    const userId = await signIn(account)
    const signedInAt = Math.floor(Date.now() / 1000)

    const removed = await findRemovedAccount(env, { ...account, at: signedInAt + seconds })

    expect(removed?.userId).toBe(isRemoved ? userId : undefined)
  })

  it.each([
    ['another app', { clientId: 'another app' }],
    ['another issuer', { issuer: 'https://second.example' }],
    ['another provider', { provider: 'second' }],
  ])('is not removed by a report about %s', async (_, changes) => {
    const account = newAccount()
    await signIn(account)

    const removed = await findRemovedAccount(env, { ...account, ...changes, at: now + 10 })

    expect(removed).toBeUndefined()
  })

  it('is reported as the only account only if the user has no other', async () => {
    const account = newAccount()
    const userId = await signIn(account)
    const at = now + 10

    expect(await findRemovedAccount(env, { ...account, at })).toMatchObject({ isOnly: true })
    await link(userId, newAccount())
    expect(await findRemovedAccount(env, { ...account, at })).toMatchObject({ isOnly: false })
  })
})

describe('linking an account', () => {
  it('[S6] changes nothing about an account of another user', async () => {
    const taken = newAccount({ user: { id: 'taken', name: 'Owner' }, accountId: 'taken' })
    const owner = await signIn(taken)
    const thief = await signIn(newAccount())

    const result = await link(thief, { ...taken, clientId: 'changed' })

    expect(result).toBe('taken')
    expect(await signIn(taken)).toBe(owner)
    expect(await accountIds(thief)).toHaveLength(1)
  })
})

describe('linking an account to a blocked user', () => {
  it.each([
    ['another account', newAccount()],
    ['the account that they have', undefined],
  ])('[S3] is rejected: %s', async (_, other) => {
    const account = newAccount()
    const userId = await signIn(account)
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 1 WHERE id = ?').bind(userId).run()

    expect(await link(userId, other ?? account)).toBe('blocked')

    expect(await accountIds(userId)).toEqual([account.accountId])
  })
})

describe('the verified address of a linked account', () => {
  const withEmail = (email: string, emailVerified = true) => {
    const id = crypto.randomUUID()
    return newAccount({ accountId: id, user: { id, email, emailVerified } })
  }
  const readEmail = async (userId: string) => (await readUserRows(env, userId))?.user.email

  it('becomes that of a user who has none', async () => {
    const userId = await signIn(newAccount())

    await link(userId, withEmail('unverified@mail.example', false))
    const before = await readEmail(userId)
    await link(userId, withEmail('first@mail.example'))
    await link(userId, withEmail('second@mail.example'))

    expect(before).toBeNull()
    expect(await readEmail(userId)).toBe('first@mail.example')
  })

  it('is withdrawn if the account was linked too late', async () => {
    const userId = await signIn(newAccount())
    const account = withEmail('late@mail.example')
    await link(userId, account)
    const before = await readEmail(userId)

    await undoLink(env, readConfig(env), { userId, account, origin: { actor: userId } })

    expect(before).toBe('late@mail.example')
    expect(await readEmail(userId)).toBeNull()
  })

  it('does not replace the one that the user has', async () => {
    const userId = await signIn(withEmail('own@mail.example'))

    await link(userId, withEmail('other@mail.example'))

    expect(await readEmail(userId)).toBe('own@mail.example')
  })

  it('is replaced by that of the oldest other account when it is unlinked', async () => {
    const userId = await signIn(withEmail('own@mail.example'))
    for (const [index, address] of ['second@mail.example', 'third@mail.example'].entries()) {
      advanceClock(1 + index)
      await link(userId, withEmail(address))
    }
    const [own] = await listAccounts(env, userId)
    if (!own) throw new Error('The account is missing.')

    await unlink(userId, own)

    expect(await readEmail(userId)).toBe('second@mail.example')
  })

  it('[S7] is not given to a user if the account belongs to another', async () => {
    const account = withEmail('victim@mail.example')
    const victim = await signIn(account)
    const attacker = await signIn(newAccount())

    expect(await link(attacker, account)).toBe('taken')

    expect(await readEmail(attacker)).toBeNull()
    expect(await readEmail(victim)).toBe('victim@mail.example')
  })
})
