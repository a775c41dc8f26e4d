import { type Lifetimes, renewalInterval } from '../config/lifetimes.ts'
import { LazyTable } from '../storage/lazy-table.ts'
import { earliest, nowInSeconds } from '../values/clock.ts'
import { providerOfKey } from './account-reference.ts'
import type { Session, SessionOpening, SessionSummary, SignInLevel } from './session.ts'
import { UsedAttempts } from './used-attempts.ts'
import type { UserRecord } from './user.ts'

/** More browsers than anyone uses. Beyond this number the oldest session ends. */
const MAX_SESSIONS = 100

/** A session that has just ended. */
export type EndedSession = Pick<SessionRow, 'key' | 'sid' | 'account' | 'device'>

/** The sessions of one user. Each method is one decision without an await. */
export class Sessions {
  readonly #table: LazyTable<SessionRow>
  readonly #usedAttempts: UsedAttempts
  readonly #lifetimes: () => Lifetimes

  constructor({ sql, kv }: DurableObjectStorage, lifetimes: () => Lifetimes) {
    this.#lifetimes = lifetimes
    this.#table = new LazyTable(sql, 'sessions', SESSIONS_SCHEMA)
    this.#usedAttempts = new UsedAttempts(kv)
  }

  /** Opens a session, unless its attempt has already opened one, which may have ended. */
  open(opening: SessionOpening): Session | undefined {
    const { secretDigest, attempt, user, level, amr, replaces = '' } = opening
    const { device = null, place = null } = opening
    if (this.#usedAttempts.has(attempt)) return undefined
    const now = nowInSeconds()
    const { sessionIdle, sessionAbsolute } = this.#lifetimes()
    const times = {
      authenticatedAt: Math.min(opening.authenticatedAt ?? now, now),
      idleExpiresAt: now + sessionIdle,
      expiresAt: now + sessionAbsolute,
    }
    // For the apps, a user who signs in again in the same browser continues the same session,
    // unless it has expired.
    const former = this.#find(replaces)
    const sid = former?.sid ?? opening.sid
    const account = opening.isConfirmation && former ? former.account : opening.account
    const isInserted = this.#table.insert(
      `INSERT INTO sessions (key, sid, attempt, account, device, place, authenticated_at, level,
         renewed_at, idle_expires_at, expires_at, amr)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12
       WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE attempt = ?3)`,
      secretDigest,
      sid,
      attempt,
      account ?? null,
      device,
      place,
      times.authenticatedAt,
      level,
      now,
      times.idleExpiresAt,
      times.expiresAt,
      amr ? JSON.stringify(amr) : null,
    )
    if (!isInserted) return undefined
    this.end(replaces)
    return { sid, user, level, ...times, ...(amr && { amr }) }
  }

  /** A session that has not expired, and whether it has just been extended. */
  read(
    secretDigest: string,
    user: UserRecord,
  ): { session: Session; isRenewed: boolean } | undefined {
    const now = nowInSeconds()
    const lifetimes = this.#lifetimes()
    const [renewed] = this.#table.exec(
      `UPDATE sessions SET renewed_at = ?1, idle_expires_at = ?1 + ?2
       WHERE key = ?3 AND ?1 < min(idle_expires_at, expires_at) AND renewed_at <= ?1 - ?4 RETURNING *`,
      now,
      lifetimes.sessionIdle,
      secretDigest,
      renewalInterval(lifetimes),
    )
    const row = renewed ?? this.#find(secretDigest)
    if (!row) return undefined
    const session = {
      sid: row.sid,
      user,
      authenticatedAt: row.authenticated_at,
      level: row.level,
      idleExpiresAt: row.idle_expires_at,
      expiresAt: row.expires_at,
      ...(row.amr !== null && { amr: JSON.parse(row.amr) as string[] }),
    }
    return { session, isRenewed: renewed !== undefined }
  }

  /** The key of the account the session was opened with. */
  accountKey(secretDigest: string): string | undefined {
    return this.#find(secretDigest)?.account ?? undefined
  }

  /**
   * The id of a session that has not expired. Unlike reading the session, this does not extend it.
   */
  findSid(secretDigest: string): string | undefined {
    return this.#find(secretDigest)?.sid
  }

  has(sid: string): boolean {
    return this.list().some((session) => session.sid === sid)
  }

  /** The sessions that have not expired, the newest first. */
  list(): SessionSummary[] {
    const rows = this.#table.exec(
      'SELECT * FROM sessions WHERE ? < min(idle_expires_at, expires_at) ORDER BY authenticated_at DESC, rowid DESC',
      nowInSeconds(),
    )
    return rows.map((row) => ({
      sid: row.sid,
      device: row.device ?? undefined,
      place: row.place ?? undefined,
      provider: providerOfKey(row.account),
      authenticatedAt: row.authenticated_at,
      lastUsedAt: row.renewed_at,
    }))
  }

  // Ending a session that has already ended is not an error.

  end(secretDigest: string): EndedSession[] {
    return this.#ended(
      this.#table.exec('DELETE FROM sessions WHERE key = ? RETURNING *', secretDigest),
    )
  }

  endById(sid: string): EndedSession[] {
    return this.#ended(this.#table.exec('DELETE FROM sessions WHERE sid = ? RETURNING *', sid))
  }

  endAllExcept(secretDigest: string): EndedSession[] {
    return this.#ended(
      this.#table.exec('DELETE FROM sessions WHERE key <> ? RETURNING *', secretDigest),
    )
  }

  endAll(): EndedSession[] {
    return this.#ended(this.#table.exec('DELETE FROM sessions RETURNING *'))
  }

  /** For a deleted user, for whom no attempt can open a session anyway. */
  forgetUsedAttempts(): void {
    this.#usedAttempts.deleteAll()
  }

  /** Ends the oldest sessions if there are too many. */
  endSurplus(): EndedSession[] {
    return this.#ended(
      this.#table.exec(
        `DELETE FROM sessions WHERE key IN
         (SELECT key FROM sessions ORDER BY authenticated_at DESC, rowid DESC LIMIT -1 OFFSET ?)
         RETURNING *`,
        MAX_SESSIONS,
      ),
    )
  }

  deleteExpired(): void {
    this.#ended(
      this.#table.exec(
        'DELETE FROM sessions WHERE min(idle_expires_at, expires_at) <= ? RETURNING *',
        nowInSeconds(),
      ),
    )
    this.#usedAttempts.deleteExpired()
  }

  /** When the next session, or the record of a used attempt, expires. */
  nextExpiry(): number | undefined {
    const [row] = this.#table.exec<{ next: number | null }>(
      'SELECT min(min(idle_expires_at, expires_at)) AS next FROM sessions',
    )
    return earliest([row?.next ?? undefined, this.#usedAttempts.nextExpiry()])
  }

  /** To be called when the object's storage has been deleted. */
  reset(): void {
    this.#table.reset()
  }

  /**
   * Remembers the attempts of sessions that were just deleted. A session that was renewed is
   * treated as if it had been opened then, which only keeps its attempt for longer.
   */
  #ended(rows: readonly SessionRow[]): EndedSession[] {
    for (const { attempt, renewed_at } of rows) this.#usedAttempts.add(attempt, renewed_at)
    return rows.map(({ key, sid, account, device }) => ({ key, sid, account, device }))
  }

  #find(secretDigest: string): SessionRow | undefined {
    const [row] = this.#table.exec(
      'SELECT * FROM sessions WHERE key = ? AND ? < min(idle_expires_at, expires_at)',
      secretDigest,
      nowInSeconds(),
    )
    return row
  }
}

type SessionRow = {
  /** The digest of the session's secret. */
  key: string
  sid: string
  attempt: string
  account: string | null
  device: string | null
  place: string | null
  authenticated_at: number
  level: SignInLevel
  renewed_at: number
  idle_expires_at: number
  expires_at: number
  /** A list, as JSON. */
  amr: string | null
}

/**
 * Without indexes: a user has few sessions, and each index would add a page, and a row to every
 * write.
 */
const SESSIONS_SCHEMA = `
  CREATE TABLE sessions (
    key TEXT NOT NULL,
    sid TEXT NOT NULL,
    attempt TEXT NOT NULL,
    account TEXT,
    device TEXT,
    place TEXT,
    authenticated_at INTEGER NOT NULL,
    level TEXT NOT NULL,
    renewed_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    amr TEXT
  ) STRICT`
