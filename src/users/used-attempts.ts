import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { KvRecords } from '../storage/kv-records.ts'
import { earliest, nowInSeconds } from '../values/clock.ts'

/**
 * A callback that starts just before its attempt expires takes less: a few requests to the
 * provider, five seconds each.
 */
const CALLBACK_DURATION = 60 // seconds

/**
 * Attempts whose session has ended before the attempt expired. They must not open another session,
 * for example after a sign-out. As long as the session exists, its own record says that the
 * attempt was used, so most sign-ins write nothing here.
 */
export class UsedAttempts {
  /** When each attempt expires. */
  readonly #expiries: KvRecords<number>

  constructor(kv: SyncKvStorage) {
    this.#expiries = new KvRecords(kv, 'attempt:')
  }

  /** Records an attempt, unless it opened its session so long ago that it has expired. */
  add(attempt: string, openedAt: number): void {
    const expiresAt = openedAt + ATTEMPT_LIFETIME + CALLBACK_DURATION
    if (expiresAt > nowInSeconds()) this.#expiries.put(attempt, expiresAt)
  }

  has(attempt: string): boolean {
    return this.#expiries.get(attempt) !== undefined
  }

  deleteExpired(): void {
    const now = nowInSeconds()
    for (const [attempt, expiresAt] of this.#expiries.entries()) {
      if (expiresAt <= now) this.#expiries.delete(attempt)
    }
  }

  deleteAll(): void {
    this.#expiries.deleteAll()
  }

  /** When the next record can be deleted. */
  nextExpiry(): number | undefined {
    return earliest(this.#expiries.values())
  }
}
