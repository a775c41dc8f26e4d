import type { UrlParams } from '../../provider-interface/oauth-types.ts'
import type { Config } from '../config/config.ts'
import { findAuthenticationFacts } from '../upstream/sign-in-methods.ts'
import type { LinkedAccount } from './directory-rows.ts'
import { SIGN_IN_LEVELS, type SignInLevel } from './session.ts'
import { unconfirmedAccounts } from './unconfirmed-accounts.ts'

interface StrongestAccounts {
  /** The highest level that a sign-in of the user can have. */
  level: SignInLevel
  /** The accounts with which a sign-in can have it. */
  accounts: readonly LinkedAccount[]
  /** Whether the user can also sign in with another account, at a lower level. */
  hasWeaker: boolean
}

/**
 * The accounts with which the user can prove most, without unconfirmed ones. Those of a provider that is disabled because of
 * a problem count too: otherwise, a lost setting would lower what changes to the account need.
 */
export function strongestAccounts(
  config: Config,
  accounts: readonly LinkedAccount[],
): StrongestAccounts {
  const unconfirmed = unconfirmedAccounts(config, accounts)
  const levels = accounts.map((account) =>
    unconfirmed.includes(account) ? 'silent' : highestLevel(config, account),
  )
  const level = SIGN_IN_LEVELS.findLast((each) => levels.includes(each)) ?? 'silent'
  return {
    level,
    accounts: accounts.filter((_, index) => levels[index] === level),
    hasWeaker: unconfirmed.length > 0 || levels.some((each) => each !== level && each !== 'silent'),
  }
}

/** The highest level of a sign-in with the account; the lowest if nobody can sign in with it. */
function highestLevel(config: Config, account: LinkedAccount): SignInLevel {
  const facts = findAuthenticationFacts(config, account)
  if (!facts) return 'silent'
  return facts.sendsAuthTime ? 'proved' : promptedLevel(facts)
}

/**
 * The level of a sign-in that has to be prompted, unless the provider proves it. Many providers
 * have no parameter that requests a prompt.
 */
export function promptedLevel({
  promptParams,
}: {
  promptParams: UrlParams
}): 'prompted' | 'repeated' {
  return Object.keys(promptParams).length > 0 ? 'prompted' : 'repeated'
}

export function isAtLeast(level: SignInLevel, required: SignInLevel): boolean {
  return SIGN_IN_LEVELS.indexOf(level) >= SIGN_IN_LEVELS.indexOf(required)
}
