import type { Config } from '../config/config.ts'
import { digest } from '../crypto/digest.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import type { LinkedAccount } from '../users/directory.ts'
import { accountKey } from '../users/upstream-account.ts'

/** Identifies an account in a form without revealing the provider's id. */
export function accountDigest(account: LinkedAccount): Promise<string> {
  return digest(accountKey(account))
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
