import type { Config } from '../config/config.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import type { LinkedAccount } from './directory.ts'

/** The accounts with which the user can prove a sign-in: a provider confirms it, or this
 * service authenticates them itself. */
export function provingAccounts(
  config: Config,
  accounts: readonly LinkedAccount[],
): readonly LinkedAccount[] {
  return accounts.filter(({ provider, issuer }) => {
    const method = findSignInMethod(config, provider)
    return method?.sendsAuthTime === true && method.accountIssuer === issuer
  })
}
