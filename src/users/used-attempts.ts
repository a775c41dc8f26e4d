import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { nowInSeconds } from '../values/clock.ts'

/** A callback that starts just before its attempt expires takes less: a few requests to the provider, five seconds each. */
const CALLBACK_DURATION = 60 // seconds

const KEY_PREFIX = 'attempt:'

/**
 * Attempts whose session has ended before the attempt expired. They must not open another session, for example after a
 * sign-out. As long as the session exists, its own row says that the attempt was used, so most sign-ins write nothing here.
 */
export class UsedAttempts {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  /** Records an attempt, unless it opened its session so long ago that it has expired. */
  add(attempt: string, openedAt: number): void {
    const expiresAt = openedAt + ATTEMPT_LIFETIME + CALLBACK_DURATION
    if (expiresAt > nowInSeconds()) this.#kv.put<number>(KEY_PREFIX + attempt, expiresAt)
  }

  has(attempt: string): boolean {
    return this.#kv.get<number>(KEY_PREFIX + attempt) !== undefined
  }

  deleteExpired(): void {
    const now = nowInSeconds()
    for (const [key, expiresAt] of this.#list()) if (expiresAt <= now) this.#kv.delete(key)
  }

  deleteAll(): void {
    for (const [key] of this.#list()) this.#kv.delete(key)
  }

  /** When the next record can be deleted. */
  nextExpiry(): number | undefined {
    const times = this.#list().map(([, expiresAt]) => expiresAt)
    return times.length > 0 ? Math.min(...times) : undefined
  }

  #list(): [string, number][] {
    return [...this.#kv.list<number>({ prefix: KEY_PREFIX })]
  }
}
