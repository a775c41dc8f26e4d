import { DurableObject } from 'cloudflare:workers'
import { seconds } from '../clock.ts'
import type { GrantTerms } from '../grants/grant.ts'
import {
  GrantLedger,
  type Redeemed,
  type Redemption,
  type Rotated,
  type Rotation,
} from '../grants/ledger.ts'
import { LogoutOutbox } from './logout-outbox.ts'
import {
  ABSOLUTE_LIFETIME,
  type Consent,
  type Demand,
  type Granting,
  IDLE_LIFETIME,
  type Session,
  type SessionOpening,
} from './session.ts'
import { tellClient } from './tell-client.ts'
import type { UserRecord } from './user.ts'

/** A session in use is prolonged once a day: every write has its price. */
const RENEWAL_INTERVAL = 24 * 3600
/** Before an alarm that failed tries again. */
const ONE_HOUR = 3_600_000 // milliseconds
/** More browsers than anybody has. Beyond them the oldest session ends. */
const MOST_SESSIONS = 100

/**
 * One person's sessions, on one thread: opening, prolonging and ending them are decisions, and each is
 * made here by one statement. Whatever stands elsewhere is a copy.
 */
export class UserObject extends DurableObject<Env> {
  readonly #grants: GrantLedger
  readonly #outbox: LogoutOutbox

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
    this.#grants = new GrantLedger(ctx.storage.sql)
    this.#outbox = new LogoutOutbox(ctx.storage.sql)
  }

  /** Opens a session, unless its attempt has already led to one. */
  async openSession({
    key,
    sid,
    attempt,
    user,
    isForced,
    replaces,
  }: SessionOpening): Promise<Session | undefined> {
    const now = seconds()
    const times = {
      authenticatedAt: now,
      forcedAt: isForced ? now : 0,
      idleExpiresAt: now + IDLE_LIFETIME,
      expiresAt: now + ABSOLUTE_LIFETIME,
    }
    const { sql } = this.ctx.storage
    // A person who signs in again in the same browser is the same session to the apps they use.
    const [former] = replaces
      ? [...sql.exec<{ sid: string }>('SELECT sid FROM sessions WHERE key = ?', replaces)]
      : []
    const name = former?.sid ?? sid
    const { rowsWritten } = sql.exec(
      `INSERT INTO sessions (key, sid, attempt, authenticated_at, forced_at, renewed_at, idle_expires_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      key,
      name,
      attempt,
      now,
      times.forcedAt,
      now,
      times.idleExpiresAt,
      times.expiresAt,
    )
    if (rowsWritten === 0) return undefined

    this.ctx.storage.kv.put('user', user)
    if (replaces) sql.exec('DELETE FROM sessions WHERE key = ?', replaces)
    await this.#end(
      'DELETE FROM sessions WHERE key IN (SELECT key FROM sessions ORDER BY authenticated_at DESC, rowid DESC LIMIT -1 OFFSET ?) RETURNING sid',
      MOST_SESSIONS,
    )
    return { sid: name, user, ...times }
  }

  /** The session, if it is alive. Says whether it has been prolonged just now. */
  readSession(key: string): { session: Session; renewed: boolean } | undefined {
    const now = seconds()
    const user = this.#user()
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
        forcedAt: row.forced_at,
        idleExpiresAt: row.idle_expires_at,
        expiresAt: row.expires_at,
      },
    }
  }

  /** Ends a session and all that was granted in it, and has its apps told. Ending it twice is no mistake. */
  async endSession(key: string): Promise<void> {
    await this.#end('DELETE FROM sessions WHERE key = ? RETURNING sid', key)
  }

  /** Ends every session but this one. */
  async endOtherSessions(key: string): Promise<void> {
    await this.#end('DELETE FROM sessions WHERE key <> ? RETURNING sid', key)
  }

  /** Ends what was granted in a session that may be gone itself, and has its apps told. */
  async endSid(sid: string): Promise<void> {
    this.ctx.storage.sql.exec('DELETE FROM sessions WHERE sid = ?', sid)
    this.#finish(sid)
    await this.#wake()
  }

  async #end(statement: string, ...bindings: SqlStorageValue[]): Promise<void> {
    for (const { sid } of this.ctx.storage.sql.exec<{ sid: string }>(statement, ...bindings))
      this.#finish(sid)
    await this.#wake()
  }

  #finish(sid: string): void {
    this.#grants.endSession(sid)
    this.#outbox.announce(sid)
  }

  /** Answers an authorization request: the session is alive and recent enough, the person has agreed, a grant is open. */
  async grant(sessionKey: string, demand: Demand): Promise<Granting> {
    const session = this.readSession(sessionKey)?.session
    const isEnough =
      session &&
      session.authenticatedAt >= (demand.authenticatedSince ?? 0) &&
      session.forcedAt >= (demand.forcedSince ?? 0) &&
      (demand.subject ?? session.user.id) === session.user.id
    if (!isEnough) return { outcome: 'login' }
    const { clientId } = demand.terms
    if (demand.asksAgain || (demand.needsConsent && !this.#hasAgreed(clientId, demand.consent)))
      return { outcome: 'consent', session }

    const { sid, authenticatedAt } = session
    this.#grants.open(demand.grantId, demand.key, { ...demand.terms, sid, authenticatedAt })
    this.#outbox.join(sid, clientId)
    await this.#wake()
    return { outcome: 'granted' }
  }

  /** Remembers what a person who is signed in has agreed to, besides what they had agreed to before. */
  agree(sessionKey: string, clientId: string, consent: Consent): boolean {
    if (!this.readSession(sessionKey)) return false
    const { scope, resources } = this.#agreedTo(clientId) ?? { scope: [], resources: [] }
    this.ctx.storage.kv.put<Consent>(`consent:${clientId}`, {
      scope: [...new Set([...scope, ...consent.scope])],
      resources: [...new Set([...resources, ...consent.resources])],
    })
    return true
  }

  /** The person wants no more of it. */
  disagree(clientId: string): void {
    this.ctx.storage.kv.delete(`consent:${clientId}`)
  }

  async redeemCode(redemption: Redemption): Promise<Redeemed & { user?: UserRecord | undefined }> {
    const redeemed = this.#grants.redeem(redemption)
    await this.#wake()
    return { ...redeemed, user: this.#user() }
  }

  async rotateRefreshToken(
    rotation: Rotation,
  ): Promise<Rotated & { user?: UserRecord | undefined }> {
    const rotated = this.#grants.rotate(rotation)
    await this.#wake()
    return { ...rotated, user: this.#user() }
  }

  /** What a grant allows, while it lives, and whose it is. */
  readGrant(grantId: string): { terms: GrantTerms; user: UserRecord } | undefined {
    const terms = this.#grants.read(grantId)
    const user = this.#user()
    return terms && user && { terms, user }
  }

  /** Ends a grant of this client, and nobody else's. Says whether there was one. */
  endGrant(grantId: string, clientId: string): boolean {
    return this.#grants.end(grantId, clientId)
  }

  #user(): UserRecord | undefined {
    return this.ctx.storage.kv.get<UserRecord>('user')
  }

  #agreedTo(clientId: string): Consent | undefined {
    return this.ctx.storage.kv.get<Consent>(`consent:${clientId}`)
  }

  /** Nobody has agreed to what they were never asked, however little it is. */
  #hasAgreed(clientId: string, { scope, resources }: Consent): boolean {
    const agreed = this.#agreedTo(clientId)
    return (
      agreed !== undefined &&
      scope.every((one) => agreed.scope.includes(one)) &&
      resources.every((one) => agreed.resources.includes(one))
    )
  }

  /** Sweeps what has expired. A person without sessions and grants leaves only what they agreed to. */
  override async alarm(): Promise<void> {
    try {
      await this.#sweep()
    } catch (error) {
      // The platform gives an alarm up after six failures; a deployment may be wrong for longer.
      console.error(JSON.stringify({ event: 'sweep_failed', trouble: String(error) }))
      await this.ctx.storage.setAlarm(Date.now() + ONE_HOUR)
    }
  }

  async #sweep(): Promise<void> {
    const now = seconds()
    const { sql, kv } = this.ctx.storage
    sql.exec('DELETE FROM sessions WHERE idle_expires_at <= ? OR expires_at <= ?', now, now)
    this.#grants.sweep()
    this.#outbox.sweep()
    await this.#tellClients()
    if (this.#nextEnd() === undefined) kv.delete('user')
    if (this.#nextEnd() !== undefined || [...kv.list({ limit: 1 })].length > 0) return this.#wake()
    const emptied = this.ctx.storage.deleteAll()
    // The object may live on in memory, and who comes while it waits must still find its tables.
    sql.exec(SCHEMA)
    this.#grants.prepare()
    this.#outbox.prepare()
    await emptied
  }

  #find(key: string, now: number): SessionRow | undefined {
    const rows = this.ctx.storage.sql.exec<SessionRow>(
      'SELECT * FROM sessions WHERE key = ?1 AND ?2 < idle_expires_at AND ?2 < expires_at',
      key,
      now,
    )
    return [...rows][0]
  }

  /** One slow client keeps neither the others nor the person waiting; who does not answer is asked again. */
  async #tellClients(): Promise<void> {
    const userId = this.#user()?.id ?? ''
    await Promise.all(
      this.#outbox.take().map(async (notice) => {
        if (await tellClient(this.env, userId, notice)) return this.#outbox.delivered(notice)
        const event = this.#outbox.failed(notice) ? 'logout_given_up' : 'logout_delayed'
        console.warn(
          JSON.stringify({ event, clientId: notice.client_id, attempts: notice.attempts + 1 }),
        )
      }),
    )
  }

  /** One alarm, at the first moment at which something may have ended. */
  async #wake(): Promise<void> {
    const next = this.#nextEnd()
    if (next === undefined) await this.ctx.storage.deleteAlarm()
    else await this.ctx.storage.setAlarm(next * 1000)
  }

  #nextEnd(): number | undefined {
    const query = 'SELECT min(min(idle_expires_at, expires_at)) AS next FROM sessions'
    const { next } = this.ctx.storage.sql.exec<{ next: number | null }>(query).one()
    const ends = [next, this.#grants.nextEnd(), this.#outbox.nextDue()].filter((end) => end != null)
    return ends.length > 0 ? Math.min(...ends) : undefined
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
    forced_at INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`

type SessionRow = {
  sid: string
  authenticated_at: number
  forced_at: number
  idle_expires_at: number
  expires_at: number
}
