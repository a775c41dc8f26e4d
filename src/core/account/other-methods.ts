import type { Config } from '../config/config.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { confirmedAccounts } from '../users/unconfirmed-accounts.ts'

/**
 * The accounts with which the user could still sign in without this one. Unconfirmed ones do not
 * count: whoever added them must not be the only one who can sign in.
 */
export function otherWays(
  config: Config,
  accounts: readonly LinkedAccount[],
  account: LinkedAccount,
): LinkedAccount[] {
  return confirmedAccounts(config, accounts).filter(
    (other) =>
      !isSameAccount(other, account) &&
      findSignInMethod(config, other.provider)?.accountIssuer === other.issuer,
  )
}

/** The ids of one account in several apps of ours are disconnected together. */
function isSameAccount(a: LinkedAccount, b: LinkedAccount): boolean {
  if (a.provider !== b.provider || a.issuer !== b.issuer) return false
  return a.accountId === b.accountId || (a.unionId !== undefined && a.unionId === b.unionId)
}
