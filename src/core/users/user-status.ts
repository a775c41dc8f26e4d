import { nowInSeconds } from '../../foundation/values/clock.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import type { UserRecord } from './user.ts'

/** The user's record, and whether the user is blocked or was deleted. */
export class UserStatus {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  /** Absent if the user has neither sessions nor grants. */
  user(): UserRecord | undefined {
    return this.#kv.get<UserRecord>('user')
  }

  /** Most sign-ins do not change the user, and writing the same record costs a row. */
  putUser(user: UserRecord): void {
    if (JSON.stringify(user) === JSON.stringify(this.user())) return
    this.#kv.put<UserRecord>('user', user)
  }

  forgetUser(): void {
    this.#kv.delete('user')
  }

  /** Since when the user is blocked. */
  blockedAt(): number | undefined {
    return this.#kv.get<number>('blocked')
  }

  block(): void {
    this.#kv.put<number>('blocked', nowInSeconds())
  }

  unblock(): void {
    this.#kv.delete('blocked')
  }

  /** Sign-ins that are already under way must not open a session for the deleted user. */
  markDeleted(): void {
    this.forgetUser()
    this.unblock()
    this.#kv.put<number>('erased', nowInSeconds() + ATTEMPT_LIFETIME)
  }

  /** Until when sign-ins are rejected because the user was deleted. */
  deletedUntil(): number | undefined {
    const until = this.#kv.get<number>('erased')
    return until !== undefined && until > nowInSeconds() ? until : undefined
  }

  /** Sign-ins that had found the deleted user have ended. */
  deleteExpired(): void {
    if (this.deletedUntil() === undefined) this.#kv.delete('erased')
  }

  isBlockedOrDeleted(): boolean {
    return this.blockedAt() !== undefined || this.deletedUntil() !== undefined
  }
}
