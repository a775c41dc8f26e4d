import { DurableObject } from 'cloudflare:workers'
import type { UserRecord } from './user.ts'

/** A browser signed in here. Times are seconds since 1970. */
export interface Session {
  /** Its public name, `ses_…`. The secret that opens it is in the cookie, and its digest in storage. */
  sid: string
  user: UserRecord
  authenticatedAt: number
  /** Ends earlier when the person stays away. */
  idleExpiresAt: number
  /** Ends in any case. */
  expiresAt: number
}

/** What a new session needs. Keys are digests of secrets. */
export interface SessionOpening {
  key: string
  sid: string
  /** A digest of the attempt that led here: it opens one session and no second one. */
  attempt: string
  user: UserRecord
  /** The session this one replaces, if it is the same person's. */
  replaces?: string
}

/** A month between sign-ins on a device that is in use … */
export const ABSOLUTE_LIFETIME = 30 * 24 * 3600
/** … and a week on one that is not. */
export const IDLE_LIFETIME = 7 * 24 * 3600
/** A session in use is prolonged once a day: every write has its price. */
const RENEWAL_INTERVAL = 24 * 3600
/** More browsers than anybody has. Beyond them the oldest session ends. */
const MOST_SESSIONS = 100

/**
 * One person's sessions, on one thread: opening, prolonging and ending them are decisions, and each is
 * made here by one statement. Whatever stands elsewhere is a copy.
 */
export class UserObject extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
  }

  /** Opens a session, unless its attempt has already led to one. */
  async openSession({
    key,
    sid,
    attempt,
    user,
    replaces,
  }: SessionOpening): Promise<Session | undefined> {
    const now = seconds()
    const times = {
      authenticatedAt: now,
      idleExpiresAt: now + IDLE_LIFETIME,
      expiresAt: now + ABSOLUTE_LIFETIME,
    }
    const { sql } = this.ctx.storage
    const { rowsWritten } = sql.exec(
      `INSERT INTO sessions (key, sid, attempt, authenticated_at, renewed_at, idle_expires_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      key,
      sid,
      attempt,
      now,
      now,
      times.idleExpiresAt,
      times.expiresAt,
    )
    if (rowsWritten === 0) return undefined

    this.ctx.storage.kv.put('user', user)
    if (replaces) this.#end(replaces)
    sql.exec(
      'DELETE FROM sessions WHERE key IN (SELECT key FROM sessions ORDER BY authenticated_at DESC, rowid DESC LIMIT -1 OFFSET ?)',
      MOST_SESSIONS,
    )
    await this.#wakeForExpiry()
    return { sid, user, ...times }
  }

  /** The session, if it is alive. Says whether it has been prolonged just now. */
  readSession(key: string): { session: Session; renewed: boolean } | undefined {
    const now = seconds()
    const user = this.ctx.storage.kv.get<UserRecord>('user')
    const renewed = [
      ...this.ctx.storage.sql.exec<SessionRow>(
        `UPDATE sessions SET renewed_at = ?1, idle_expires_at = ?1 + ?2
         WHERE key = ?3 AND ?1 < idle_expires_at AND ?1 < expires_at AND renewed_at <= ?1 - ?4 RETURNING *`,
        now,
        IDLE_LIFETIME,
        key,
        RENEWAL_INTERVAL,
      ),
    ]
    const [row = this.#find(key, now)] = renewed
    if (!row || !user) return undefined
    return {
      renewed: renewed.length > 0,
      session: {
        sid: row.sid,
        user,
        authenticatedAt: row.authenticated_at,
        idleExpiresAt: row.idle_expires_at,
        expiresAt: row.expires_at,
      },
    }
  }

  /** Ends a session. Ending it twice is no mistake. */
  endSession(key: string): void {
    this.#end(key)
  }

  /** Sweeps what has expired; an object without sessions takes no room at all. */
  override async alarm(): Promise<void> {
    const now = seconds()
    const { sql } = this.ctx.storage
    sql.exec('DELETE FROM sessions WHERE idle_expires_at <= ? OR expires_at <= ?', now, now)
    const { left } = sql.exec<{ left: number }>('SELECT count(*) AS left FROM sessions').one()
    if (left > 0) return this.#wakeForExpiry()
    await this.ctx.storage.deleteAll()
    // The object may live on in memory, and must still know its tables.
    sql.exec(SCHEMA)
  }

  #find(key: string, now: number): SessionRow | undefined {
    const rows = this.ctx.storage.sql.exec<SessionRow>(
      'SELECT * FROM sessions WHERE key = ?1 AND ?2 < idle_expires_at AND ?2 < expires_at',
      key,
      now,
    )
    return [...rows][0]
  }

  #end(key: string): void {
    this.ctx.storage.sql.exec('DELETE FROM sessions WHERE key = ?', key)
  }

  /** One alarm, at the first moment at which something may have ended. */
  async #wakeForExpiry(): Promise<void> {
    const { next } = this.ctx.storage.sql
      .exec<{ next: number | null }>(
        'SELECT min(min(idle_expires_at, expires_at)) AS next FROM sessions',
      )
      .one()
    if (next !== null) await this.ctx.storage.setAlarm(next * 1000)
  }
}

/** The one thread that decides for this person. */
export function userObject(env: Env, userId: string): DurableObjectStub<UserObject> {
  return env.USERS.get(env.USERS.idFromName(userId))
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (
    key TEXT PRIMARY KEY,
    sid TEXT NOT NULL,
    attempt TEXT NOT NULL UNIQUE,
    authenticated_at INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`

type SessionRow = {
  sid: string
  authenticated_at: number
  idle_expires_at: number
  expires_at: number
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
