import { nowInSeconds } from '../../foundation/values/clock.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { ExpiringRecords } from '../storage/expiring-records.ts'

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
export class UsedAttempts extends ExpiringRecords<number> {
  constructor(kv: SyncKvStorage) {
    super(kv, 'attempt:', (expiresAt) => expiresAt)
  }

  /** Records an attempt, unless it opened its session so long ago that it has expired. */
  add(attempt: string, openedAt: number): void {
    const expiresAt = openedAt + ATTEMPT_LIFETIME + CALLBACK_DURATION
    if (expiresAt > nowInSeconds()) this.put(attempt, expiresAt)
  }

  has(attempt: string): boolean {
    return this.get(attempt) !== undefined
  }
}
