import { nowInSeconds } from '../../foundation/values/clock.ts'
import { ExpiringRecords } from '../storage/expiring-records.ts'

/** A way to sign in that was added or removed. */
export interface MethodChange {
  kind: 'added' | 'removed'
  /** The id of its provider, or of the feature that it belongs to. */
  provider: string
  /** What it is called, if it is not an account. */
  title?: string
  /** The key of the account, if it was added. */
  account?: string | undefined
  /** How the user recognises the account. */
  label?: string | undefined
  at: number
  /**
   * The key of the session in which it was added, which changes at every sign-in. A removal ends all
   * sessions.
   */
  session?: string | undefined
}

/** Long enough that the user signs in or opens the account page meanwhile. */
const LIFETIME = 30 * 24 * 3600 // seconds

/** More than anyone needs to read. Beyond this number the oldest is forgotten. */
const MAX_CHANGES = 20

/**
 * The latest changes to the ways in which one user signs in, which the account page shows: somebody
 * else may have made them.
 */
export class MethodChanges extends ExpiringRecords<MethodChange> {
  constructor(kv: SyncKvStorage) {
    super(kv, 'method-change:', ({ at }) => at + LIFETIME)
  }

  add(change: Omit<MethodChange, 'at'>): void {
    const at = nowInSeconds()
    this.put(`${at} ${crypto.randomUUID()}`, { ...change, at })
    const keys = this.entries().map(([key]) => key)
    for (const key of keys.slice(0, -MAX_CHANGES)) this.delete(key)
  }

  /** A session has got another key. */
  moveSession(from: string, to: string): void {
    for (const [key, change] of this.entries()) {
      if (change.session === from) this.put(key, { ...change, session: to })
    }
  }

  /** The oldest first. */
  list(): MethodChange[] {
    const now = nowInSeconds()
    return this.values().filter(({ at }) => at + LIFETIME > now)
  }

  /** When the session with this key has last made a change. */
  lastOf(session: string): number | undefined {
    return this.list().findLast((change) => change.session === session)?.at
  }

  /**
   * When the last change was made that a user does not know of who signs in with this account, in
   * the session with this key.
   */
  lastUnknown(account: string | undefined, session: string): number | undefined {
    return this.list().findLast(
      (change) => change.session !== session && (change.account ?? '') !== account,
    )?.at
  }
}
