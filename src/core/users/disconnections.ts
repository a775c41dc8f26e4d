import { nowInSeconds } from '../../foundation/values/clock.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { ExpiringRecords } from '../storage/expiring-records.ts'
import { type AccountReference, accountKey } from './account-reference.ts'

interface Disconnection {
  /** By the directory's clock. */
  disconnectedAt: number
  expiresAt: number
}

/**
 * When accounts of the user were disconnected. A sign-in that found the user before, but has not
 * yet opened its session, must not open it. The records are kept for as long as such a sign-in can
 * last.
 */
export class Disconnections extends ExpiringRecords<Disconnection> {
  constructor(kv: SyncKvStorage) {
    super(kv, 'disconnected:', ({ expiresAt }) => expiresAt)
  }

  add(account: AccountReference, disconnectedAt: number): void {
    const key = accountKey(account)
    // Two disconnections may arrive in the wrong order.
    const earlier = this.get(key)?.disconnectedAt ?? 0
    this.put(key, {
      disconnectedAt: Math.max(disconnectedAt, earlier),
      expiresAt: nowInSeconds() + ATTEMPT_LIFETIME,
    })
  }

  /** Whether a sign-in with this account found the user before the account was disconnected. */
  isBefore(account: string | undefined, claimedAt: number): boolean {
    const record = this.get(account ?? '')
    return record !== undefined && claimedAt <= record.disconnectedAt
  }
}
