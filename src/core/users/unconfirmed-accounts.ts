import type { Config } from '../config/config.ts'
import { findAuthenticationFacts } from '../upstream/sign-in-methods.ts'
import type { AdditionMarks } from './directory.ts'
import type { LinkedAccount } from './directory-rows.ts'
import type { Session } from './session.ts'

/**
 * Somebody who was in front of an unlocked browser is gone by then, and the user has probably signed
 * in since.
 */
const CONFIRMATION_DELAY = 24 * 3600 // seconds

/**
 * The accounts that were added without proof and that the user has not confirmed since. Somebody
 * else may have added them, so they only sign in: changes need one of the others. A user who can
 * sign in with none of the others has no unconfirmed account.
 */
export function unconfirmedAccounts(
  config: Config,
  accounts: readonly LinkedAccount[],
): LinkedAccount[] {
  const hasConfirmed = accounts.some(
    (account) => !needsConfirmation(account) && findAuthenticationFacts(config, account),
  )
  return hasConfirmed ? accounts.filter(needsConfirmation) : []
}

function needsConfirmation({ unconfirmedSid }: LinkedAccount): boolean {
  return unconfirmedSid !== undefined
}

/** The accounts that are not unconfirmed. */
export function confirmedAccounts(
  config: Config,
  accounts: readonly LinkedAccount[],
): LinkedAccount[] {
  const unconfirmed = unconfirmedAccounts(config, accounts)
  return accounts.filter((account) => !unconfirmed.includes(account))
}

/** What is stored about the accounts of a user who adds another one in this session. */
export function marksOfAddition(
  config: Config,
  accounts: readonly LinkedAccount[],
  { sid, level }: Pick<Session, 'sid' | 'level'>,
): AdditionMarks {
  return {
    unconfirmedSid: level === 'proved' ? undefined : sid,
    confirmed: confirmedAccounts(config, accounts).filter(needsConfirmation),
  }
}

/** From when on an unconfirmed account can be confirmed. */
export function confirmableFrom({ linkedAt }: Pick<LinkedAccount, 'linkedAt'>): number {
  return linkedAt + CONFIRMATION_DELAY
}

/**
 * Whether this session can confirm an unconfirmed account: it is not the one in which the account
 * was added, and the user has signed in later. Its sign-in must also be sufficient for changes.
 */
export function mayConfirm(
  { sid, authenticatedAt }: Pick<Session, 'sid' | 'authenticatedAt'>,
  account: Pick<LinkedAccount, 'unconfirmedSid' | 'linkedAt'>,
): boolean {
  return sid !== account.unconfirmedSid && authenticatedAt >= confirmableFrom(account)
}
