import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { nowInSeconds } from '../values/clock.ts'
import { type AccountReference, accountKey } from './upstream-account.ts'

interface Disconnection {
  /** By the directory's clock. */
  disconnectedAt: number
  expiresAt: number
}

const KEY_PREFIX = 'disconnected:'

/**
 * When accounts of the user were disconnected. A sign-in that found the user before, but has not yet opened its session,
 * must not open it. The records are kept for as long as such a sign-in can last.
 */
export class Disconnections {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  add(account: AccountReference, disconnectedAt: number): void {
    const key = KEY_PREFIX + accountKey(account)
    // Two disconnections may arrive in the wrong order.
    const earlier = this.#kv.get<Disconnection>(key)?.disconnectedAt ?? 0
    this.#kv.put<Disconnection>(key, {
      disconnectedAt: Math.max(disconnectedAt, earlier),
      expiresAt: nowInSeconds() + ATTEMPT_LIFETIME,
    })
  }

  /** Whether a sign-in with this account found the user before the account was disconnected. */
  isBefore(account: string | undefined, claimedAt: number): boolean {
    const record = this.#kv.get<Disconnection>(KEY_PREFIX + account)
    return record !== undefined && claimedAt <= record.disconnectedAt
  }

  deleteExpired(): void {
    const now = nowInSeconds()
    for (const [key, { expiresAt }] of this.#list()) if (expiresAt <= now) this.#kv.delete(key)
  }

  /** When the next record can be deleted. */
  nextExpiry(): number | undefined {
    const times = this.#list().map(([, { expiresAt }]) => expiresAt)
    return times.length > 0 ? Math.min(...times) : undefined
  }

  #list(): [string, Disconnection][] {
    return [...this.#kv.list<Disconnection>({ prefix: KEY_PREFIX })]
  }
}
