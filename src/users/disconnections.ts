import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { KvRecords } from '../storage/kv-records.ts'
import { earliest, nowInSeconds } from '../values/clock.ts'
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
export class Disconnections {
  readonly #records: KvRecords<Disconnection>

  constructor(kv: SyncKvStorage) {
    this.#records = new KvRecords(kv, 'disconnected:')
  }

  add(account: AccountReference, disconnectedAt: number): void {
    const key = accountKey(account)
    // Two disconnections may arrive in the wrong order.
    const earlier = this.#records.get(key)?.disconnectedAt ?? 0
    this.#records.put(key, {
      disconnectedAt: Math.max(disconnectedAt, earlier),
      expiresAt: nowInSeconds() + ATTEMPT_LIFETIME,
    })
  }

  /** Whether a sign-in with this account found the user before the account was disconnected. */
  isBefore(account: string | undefined, claimedAt: number): boolean {
    const record = this.#records.get(account ?? '')
    return record !== undefined && claimedAt <= record.disconnectedAt
  }

  deleteExpired(): void {
    const now = nowInSeconds()
    for (const [key, { expiresAt }] of this.#records.entries()) {
      if (expiresAt <= now) this.#records.delete(key)
    }
  }

  /** When the next record can be deleted. */
  nextExpiry(): number | undefined {
    return earliest(this.#records.values().map(({ expiresAt }) => expiresAt))
  }
}
