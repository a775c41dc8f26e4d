import { seconds } from '../clock.ts'
import type { Tables } from './schema.ts'
import {
  ABSOLUTE_LIFETIME,
  IDLE_LIFETIME,
  type Session,
  type SessionLine,
  type SessionOpening,
} from './session.ts'
import type { UserRecord } from './user.ts'

/** A session in use is prolonged once a day: every write has its price. */
const RENEWAL_INTERVAL = 24 * 3600
/** More browsers than anybody has. Beyond them the oldest session ends. */
const MOST_SESSIONS = 100

/** A session that has ended: under which key it was known, and by which name. */
export interface Ended {
  key: string
  sid: string
}

/** The sessions of one person. Each decision is one statement. */
export class SessionLedger {
  readonly #sql: Tables

  constructor(sql: Tables) {
    this.#sql = sql
  }

  /** Opens a session, unless its attempt has already led to one. */
  open({
    key,
    sid,
    attempt,
    user,
    isForced,
    replaces = '',
    account,
    device = null,
    place = null,
  }: SessionOpening): Session | undefined {
    const now = seconds()
    const times = {
      authenticatedAt: now,
      forcedAt: isForced ? now : 0,
      idleExpiresAt: now + IDLE_LIFETIME,
      expiresAt: now + ABSOLUTE_LIFETIME,
    }
    // A person who signs in again in the same browser is the same session to the apps they use.
    const former = [...this.#sql.exec<SessionRow>('SELECT * FROM sessions WHERE key = ?', replaces)]
    const name = former[0]?.sid ?? sid
    const { rowsWritten } = this.#sql.exec(
      `INSERT INTO sessions (key, sid, attempt, account, device, place, authenticated_at, forced_at, renewed_at,
         idle_expires_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      key,
      name,
      attempt,
      account ?? null,
      device,
      place,
      now,
      times.forcedAt,
      now,
      times.idleExpiresAt,
      times.expiresAt,
    )
    if (rowsWritten === 0) return undefined
    this.#sql.exec('DELETE FROM sessions WHERE key = ?', replaces)
    return { sid: name, user, ...times }
  }

  /** The session, if it is alive. Says whether it has been prolonged just now. */
  read(key: string, user: UserRecord): { session: Session; renewed: boolean } | undefined {
    const now = seconds()
    const [renewed] = [
      ...this.#sql.exec<SessionRow>(
        `UPDATE sessions SET renewed_at = ?1, idle_expires_at = ?1 + ?2
         WHERE key = ?3 AND ?1 < min(idle_expires_at, expires_at) AND renewed_at <= ?1 - ?4 RETURNING *`,
        now,
        IDLE_LIFETIME,
        key,
        RENEWAL_INTERVAL,
      ),
    ]
    const row = renewed ?? this.#find(key)
    if (!row) return undefined
    const session = {
      sid: row.sid,
      user,
      authenticatedAt: row.authenticated_at,
      forcedAt: row.forced_at,
      idleExpiresAt: row.idle_expires_at,
      expiresAt: row.expires_at,
    }
    return { session, renewed: renewed !== undefined }
  }

  /** With which account it was opened. */
  accountOf(key: string): string | undefined {
    return this.#find(key)?.account ?? undefined
  }

  /** Whether a session of this name is alive. */
  has(sid: string): boolean {
    return this.list().some((line) => line.sid === sid)
  }

  /** Where the person is signed in, the latest first. */
  list(): SessionLine[] {
    const rows = this.#sql.exec<SessionRow>(
      'SELECT * FROM sessions WHERE ? < min(idle_expires_at, expires_at) ORDER BY authenticated_at DESC, rowid DESC',
      seconds(),
    )
    return Array.from(rows, (row) => ({
      sid: row.sid,
      device: row.device ?? undefined,
      place: row.place ?? undefined,
      authenticatedAt: row.authenticated_at,
      seenAt: row.renewed_at,
    }))
  }

  /** Ends one session, all others, all that have a name, or all. Ending what has ended is no mistake. */
  end(where: 'key = ?' | 'key <> ?' | 'sid = ?' | '? = 1', binding: string | number): Ended[] {
    return [
      ...this.#sql.exec<SessionRow>(`DELETE FROM sessions WHERE ${where} RETURNING *`, binding),
    ]
  }

  /** Ends the oldest, if there are too many. */
  endSurplus(): Ended[] {
    return [
      ...this.#sql.exec<SessionRow>(
        `DELETE FROM sessions WHERE key IN
         (SELECT key FROM sessions ORDER BY authenticated_at DESC, rowid DESC LIMIT -1 OFFSET ?) RETURNING *`,
        MOST_SESSIONS,
      ),
    ]
  }

  sweep(): void {
    this.#sql.exec('DELETE FROM sessions WHERE min(idle_expires_at, expires_at) <= ?', seconds())
  }

  /** When the next session ends, in seconds. */
  nextEnd(): number | undefined {
    const query = 'SELECT min(min(idle_expires_at, expires_at)) AS next FROM sessions'
    return this.#sql.exec<{ next: number | null }>(query).one().next ?? undefined
  }

  #find(key: string): SessionRow | undefined {
    const rows = this.#sql.exec<SessionRow>(
      'SELECT * FROM sessions WHERE key = ? AND ? < min(idle_expires_at, expires_at)',
      key,
      seconds(),
    )
    return [...rows][0]
  }
}

type SessionRow = {
  key: string
  sid: string
  account: string | null
  device: string | null
  place: string | null
  authenticated_at: number
  forced_at: number
  renewed_at: number
  idle_expires_at: number
  expires_at: number
}
