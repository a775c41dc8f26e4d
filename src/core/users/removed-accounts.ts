import { entryIdsAt } from '../audit/audit-log.ts'
import { database } from '../storage/database.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import type { AccountReference } from './account-reference.ts'
import { DIRECTORY_TIME, primaryKey } from './directory-rows.ts'

/** An account that the provider reports as removed. */
export interface RemovedAccount {
  userId: string
  /** The user has no other account. The ids of one account in several apps of ours count as one. */
  isOnly: boolean
  isBlocked: boolean
  /** When it was found, by the directory's clock. */
  removedAt: number
}

/** Tolerance for differences between the provider's clock and ours. */
const CLOCK_SKEW = 60 // seconds

/**
 * Finds an account that was removed at the provider at a certain time, unless the user has signed
 * in with it since. The audit log knows with which provider, but not with which account: a sign-in
 * of a user with two accounts of the provider does not count, so that no removal is missed.
 */
export async function findRemovedAccount(
  env: Env,
  account: AccountReference & { clientId: string; at: number },
): Promise<RemovedAccount | undefined> {
  const since = account.at + CLOCK_SKEW + 1
  const row = await requireStorage(() =>
    database(env)
      .prepare(FIND_REMOVED_ACCOUNT)
      .bind(...primaryKey(account), account.clientId, since, entryIdsAt(since))
      .first<{ user_id: string; now: number; is_blocked: number; is_only: number }>(),
  )
  if (!row) return undefined
  return {
    userId: row.user_id,
    isOnly: row.is_only === 1,
    isBlocked: row.is_blocked === 1,
    removedAt: row.now,
  }
}

/** Another account of the user of `accounts`. Its ids in other apps of ours are the same account. */
const OTHER_ACCOUNT = `
  SELECT 1 FROM accounts AS others WHERE others.user_id = accounts.user_id
    AND NOT (others.provider = ?1 AND others.issuer = ?2 AND (others.provider_account_id = ?3
      OR coalesce(others.union_id = accounts.union_id, FALSE)))`

const FIND_REMOVED_ACCOUNT = `
  SELECT user_id, ${DIRECTORY_TIME} AS now,
    (SELECT blocked_at IS NOT NULL FROM users WHERE id = user_id) AS is_blocked,
    NOT EXISTS (${OTHER_ACCOUNT}) AS is_only
  FROM accounts
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND client_id = ?4
    AND updated_at < ?5
    AND (EXISTS (${OTHER_ACCOUNT} AND others.provider = ?1) OR NOT EXISTS (
      SELECT 1 FROM audit WHERE subject = accounts.user_id AND id >= ?6
        AND event IN ('sign_in', 'sign_in_pending') AND outcome = 'ok' AND provider = ?1))`
