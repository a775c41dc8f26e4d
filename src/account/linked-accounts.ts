import type { Config } from '../config/config.ts'
import { digest } from '../crypto/digest.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import type { LinkedAccount } from '../users/directory.ts'
import { accountKey } from '../users/upstream-account.ts'

/** Identifies an account in a form without revealing the provider's id. */
export function accountDigest(account: LinkedAccount): Promise<string> {
  return digest(accountKey(account))
}

/** The account with this digest. */
export async function findByDigest(
  accounts: readonly LinkedAccount[],
  requestedDigest: string,
): Promise<LinkedAccount | undefined> {
  const digests = await Promise.all(accounts.map(accountDigest))
  return accounts[digests.indexOf(requestedDigest)]
}

/** Whether the user could still sign in without this account. */
export function hasOtherWay(
  config: Config,
  accounts: readonly LinkedAccount[],
  account: LinkedAccount,
): boolean {
  return accounts.some(
    (other) =>
      !isSameAccount(other, account) && findSignInMethod(config, other.provider) !== undefined,
  )
}

/** The ids of one account in several apps of ours are disconnected together. */
function isSameAccount(a: LinkedAccount, b: LinkedAccount): boolean {
  if (a.provider !== b.provider || a.issuer !== b.issuer) return false
  return a.accountId === b.accountId || (a.unionId !== undefined && a.unionId === b.unionId)
}

/** Whether the user can sign in with an account of another provider than this one. */
export function hasOtherMethod(
  config: Config,
  accounts: readonly LinkedAccount[],
  id: string,
): boolean {
  return accounts.some(
    ({ provider }) => provider !== id && findSignInMethod(config, provider) !== undefined,
  )
}
