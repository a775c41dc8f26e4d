import { type Lifetimes, renewalInterval } from '../config/lifetimes.ts'
import { KvRecords } from '../storage/kv-records.ts'
import { earliest, nowInSeconds } from '../values/clock.ts'
import { providerOfKey } from './account-reference.ts'
import {
  type Authentication,
  confirmedSignIn,
  type FoundSession,
  type Session,
  type SessionOpening,
  type SessionSummary,
} from './session.ts'
import { UsedAttempts } from './used-attempts.ts'
import type { UserRecord } from './user.ts'

/** More browsers than anyone uses. Beyond this number the oldest session ends. */
const MAX_SESSIONS = 100

/** A session that has just ended. Its key is the digest of its secret. */
export type EndedSession = { key: string } & Pick<StoredSession, 'sid' | 'account' | 'device'>

/**
 * The sessions of one user. Each method is one decision without an await. They are records instead
 * of a table, which would cost a page and two rows of every object. A user has few of them, so they
 * are searched one by one.
 */
export class Sessions {
  readonly #records: KvRecords<StoredSession>
  readonly #usedAttempts: UsedAttempts
  readonly #lifetimes: () => Lifetimes
  readonly #beforeEnd: (sids: string[]) => void

  /** `beforeEnd` is called when sessions end, but not when they have expired. */
  constructor(kv: SyncKvStorage, lifetimes: () => Lifetimes, beforeEnd: (sids: string[]) => void) {
    this.#lifetimes = lifetimes
    this.#beforeEnd = beforeEnd
    this.#records = new KvRecords(kv, 'session:')
    this.#usedAttempts = new UsedAttempts(kv)
  }

  /** Opens a session, unless its attempt has already opened one, which may have ended. */
  open(opening: SessionOpening): Session | undefined {
    const { secretDigest, attempt, user, level, device, place, replaces = '' } = opening
    const others = this.#records.values()
    if (others.some((session) => session.attempt === attempt)) return undefined
    if (this.#usedAttempts.has(attempt)) return undefined
    const now = nowInSeconds()
    const { sessionIdle, sessionAbsolute } = this.#lifetimes()
    const times = {
      idleExpiresAt: now + sessionIdle,
      expiresAt: now + sessionAbsolute,
    }
    // For the apps, a user who signs in again in the same browser continues the same session,
    // unless it has expired.
    const former = this.#find(replaces)
    const sid = former?.sid ?? opening.sid
    const confirmed = former && confirmedSignIn(former)
    const isUnconfirmed = level === 'unconfirmed'
    // What apps are told about the account of a session does not depend on an unconfirmed one.
    const isContinued = confirmed !== undefined && (isUnconfirmed || opening.isConfirmation)
    const signIn: Authentication & Pick<Session, 'confirmed'> = {
      authenticatedAt: Math.min(opening.authenticatedAt ?? now, now),
      level,
      ...(opening.amr && !isUnconfirmed && { amr: opening.amr }),
      ...(confirmed && isUnconfirmed && { confirmed }),
    }
    this.#records.put(secretDigest, {
      sid,
      attempt,
      account: isContinued ? former?.account : opening.account,
      ...(isContinued && { confirmedWith: opening.account }),
      device,
      place,
      renewedAt: now,
      number: 1 + Math.max(0, ...others.map(({ number }) => number)),
      ...signIn,
      ...times,
    })
    if (former) this.#delete([[replaces, former]])
    return { sid, user, ...signIn, ...times }
  }

  /** A session that has not expired. */
  read(secretDigest: string, user: UserRecord): FoundSession | undefined {
    const found = this.#find(secretDigest)
    if (!found) return undefined
    const now = nowInSeconds()
    const lifetimes = this.#lifetimes()
    const isDue = found.renewedAt <= now - renewalInterval(lifetimes)
    const renewed = { ...found, renewedAt: now, idleExpiresAt: now + lifetimes.sessionIdle }
    const isRenewed = isDue && this.#tryToPut(secretDigest, renewed)
    const stored = isRenewed ? renewed : found
    const { sid, authenticatedAt, level, idleExpiresAt, expiresAt, amr, confirmed } = stored
    const session = {
      sid,
      user,
      authenticatedAt,
      level,
      idleExpiresAt,
      expiresAt,
      ...(amr && { amr }),
      ...(confirmed && { confirmed }),
    }
    return { session, isRenewed, method: stored.confirmedWith ?? stored.account }
  }

  /** Returns false if there is no space: a session that cannot be extended is still valid. */
  #tryToPut(secretDigest: string, session: StoredSession): boolean {
    try {
      this.#records.put(secretDigest, session)
      return true
    } catch (error) {
      console.error(JSON.stringify({ event: 'session_renewal_failed', cause: String(error) }))
      return false
    }
  }

  /** The key of the account the session was opened with. */
  accountKey(secretDigest: string): string | undefined {
    return this.#find(secretDigest)?.account
  }

  /** The same for apps, which are not told about an unconfirmed account. */
  accountKeyForApps(secretDigest: string): string | undefined {
    const session = this.#find(secretDigest)
    return session && confirmedSignIn(session) && session.account
  }

  /**
   * The id of a session that has not expired. Unlike reading the session, this does not extend it.
   */
  findSid(secretDigest: string): string | undefined {
    return this.#find(secretDigest)?.sid
  }

  /** The keys of all sessions: the digests of their secrets. */
  keys(): string[] {
    return this.#records.entries().map(([key]) => key)
  }

  has(sid: string): boolean {
    return this.list().some((session) => session.sid === sid)
  }

  /** The sessions that have not expired, the newest first. */
  list(): SessionSummary[] {
    return this.#newestFirst()
      .filter(([, session]) => !isExpired(session))
      .map(([, { sid, device, place, account, authenticatedAt, renewedAt }]) => ({
        sid,
        device,
        place,
        provider: providerOfKey(account),
        authenticatedAt,
        lastUsedAt: renewedAt,
      }))
  }

  // Ending a session that has already ended is not an error. An expired session has ended, whether
  // or not it has been deleted: refresh tokens outlive it.

  end(secretDigest: string): EndedSession[] {
    return this.#endWhere((session, key) => key === secretDigest && !isExpired(session))
  }

  endById(sid: string): EndedSession[] {
    return this.#endWhere((session) => session.sid === sid && !isExpired(session))
  }

  endAllExcept(secretDigest: string): EndedSession[] {
    return this.#endWhere((_, key) => key !== secretDigest)
  }

  endAll(): EndedSession[] {
    return this.#endWhere(() => true)
  }

  /** For a deleted user, for whom no attempt can open a session anyway. */
  forgetUsedAttempts(): void {
    this.#usedAttempts.deleteAll()
  }

  /** Ends the oldest sessions if there are too many. */
  endSurplus(): EndedSession[] {
    const surplus = new Set(
      this.#newestFirst()
        .slice(MAX_SESSIONS)
        .map(([key]) => key),
    )
    return surplus.size > 0 ? this.#endWhere((_, key) => surplus.has(key)) : []
  }

  deleteExpired(): void {
    this.#delete(this.#entriesWhere(isExpired))
    this.#usedAttempts.deleteExpired()
  }

  /** When the next session, or the record of a used attempt, expires. */
  nextExpiry(): number | undefined {
    return earliest([...this.#records.values().map(expiryOf), this.#usedAttempts.nextExpiry()])
  }

  #newestFirst(): [key: string, session: StoredSession][] {
    return this.#records
      .entries()
      .toSorted(([, a], [, b]) => b.authenticatedAt - a.authenticatedAt || b.number - a.number)
  }

  /**
   * The sessions are deleted last: if there is no space for what their end leads to, they stay, and
   * can be ended again.
   */
  #endWhere(isEnded: (session: StoredSession, key: string) => boolean): EndedSession[] {
    const entries = this.#entriesWhere(isEnded)
    const ended = entries.map(([key, { sid, account, device }]) => ({ key, sid, account, device }))
    this.#beforeEnd(ended.map(({ sid }) => sid))
    this.#delete(entries)
    return ended
  }

  #entriesWhere(
    condition: (session: StoredSession, key: string) => boolean,
  ): [key: string, session: StoredSession][] {
    return this.#records.entries().filter(([key, session]) => condition(session, key))
  }

  /**
   * Deletes sessions and remembers their attempts. A session that was renewed is treated as if it
   * had been opened then, which only keeps its attempt for longer.
   */
  #delete(entries: readonly [key: string, session: StoredSession][]): void {
    for (const [key, { attempt, renewedAt }] of entries) {
      this.#usedAttempts.add(attempt, renewedAt)
      this.#records.delete(key)
    }
  }

  #find(secretDigest: string): StoredSession | undefined {
    const session = this.#records.get(secretDigest)
    return session && !isExpired(session) ? session : undefined
  }
}

function isExpired(session: StoredSession): boolean {
  return expiryOf(session) <= nowInSeconds()
}

function expiryOf({ idleExpiresAt, expiresAt }: StoredSession): number {
  return Math.min(idleExpiresAt, expiresAt)
}

/** Stored under the digest of the session's secret. */
interface StoredSession
  extends Authentication,
    Pick<Session, 'sid' | 'confirmed' | 'idleExpiresAt' | 'expiresAt'>,
    Pick<SessionOpening, 'attempt' | 'account' | 'device' | 'place'> {
  renewedAt: number
  /** The key of the account with which the user has confirmed that they are present. */
  confirmedWith?: string | undefined
  /** Sorts sessions with the same `authenticatedAt`: a later one has a higher number. */
  number: number
}
