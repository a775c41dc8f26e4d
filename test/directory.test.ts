import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordSignIn, type SignedInAccount } from '../src/users/directory.ts'
import { normaliseEmail } from '../src/users/email.ts'

let next = 0

/** Somebody nobody has seen before, at this provider. */
function stranger(
  changes: Partial<SignedInAccount['user']> = {},
  account: Partial<SignedInAccount> = {},
): SignedInAccount {
  next += 1
  return {
    provider: 'one',
    clientId: 'c',
    scope: undefined,
    linksByEmail: false,
    ...account,
    user: { id: `id-${next}`, ...changes },
  }
}

describe('the directory', () => {
  it('[S2] links nobody by email on its own', async () => {
    const email = { email: 'a@mail.example', emailVerified: true }
    const first = await recordSignIn(env, stranger(email))

    expect((await recordSignIn(env, stranger(email, { provider: 'two' }))).id).not.toBe(first.id)
  })

  it('[S2] links by email where that is switched on, and both sides are verified', async () => {
    const email = { email: 'b@mail.example', emailVerified: true }
    const first = await recordSignIn(env, stranger(email))

    expect(
      (await recordSignIn(env, stranger(email, { provider: 'two', linksByEmail: true }))).id,
    ).toBe(first.id)
  })

  it.each([
    [false, true],
    [true, false],
    [undefined, true],
    [true, undefined],
  ])('[S2][GHSA-g38m-r43w-p2q7] never if one side is not: %s, %s', async (before, after) => {
    const email = `c${next}@mail.example`
    const first = await recordSignIn(env, stranger({ email, emailVerified: before }))

    const second = await recordSignIn(
      env,
      stranger({ email, emailVerified: after }, { provider: 'two', linksByEmail: true }),
    )

    expect(second.id).not.toBe(first.id)
  })

  it('[S1] knows an account by provider and id alone', async () => {
    const one = await recordSignIn(env, stranger({ id: 'same', name: 'Same' }))

    expect(
      (await recordSignIn(env, stranger({ id: 'same', name: 'Same' }, { provider: 'two' }))).id,
    ).not.toBe(one.id)
    expect((await recordSignIn(env, stranger({ id: 'same', name: 'New Name' }))).id).toBe(one.id)
  })

  it('[Q1] makes one user of a hundred claims at once', async () => {
    const account = stranger()

    const users = await Promise.all(Array.from({ length: 100 }, () => recordSignIn(env, account)))

    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
  })

  it('[S10] never gives a subject twice', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await recordSignIn(env, stranger())).id),
    )

    expect(new Set(ids).size).toBe(50)
  })
})

describe('an email address', () => {
  it.each([
    ['Ann@Mail.EXAMPLE', 'Ann@mail.example'],
    ['  a@b.example ', 'a@b.example'],
    ['ａ@ｂ.example', 'a@b.example'],
  ])('[S5] %j is written %j', (given, written) => {
    expect(normaliseEmail(given)).toBe(written)
  })

  it.each([
    'a@b@c.example',
    'a＠b@c.example',
    'a@b.example,c@d.example',
    'a b@c.example',
    '<a@b.example>',
    '@b.example',
    'a@',
    'plain',
    '',
    `${'a'.repeat(300)}@b.example`,
  ])('[S5][GHSA-7rqj-j65f-68wh][CVE-2022-35924] %j is none', (given) => {
    expect(normaliseEmail(given)).toBeUndefined()
  })

  it('[S5] stays the same when it is written again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })),
        async (given) => {
          const once = normaliseEmail(given)
          expect(normaliseEmail(once)).toBe(once)
        },
      ),
    )
  })
})
