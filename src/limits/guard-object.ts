import { DurableObject } from 'cloudflare:workers'
import { nowInSeconds } from '../clock.ts'

/** The number of wrong secrets per minute after which no more are checked. */
const MAX_FAILURES = 10
const FAILURE_WINDOW = 60 // seconds

/** Counts things that must happen once, or not too often, and that belong to no user. */
export class GuardObject extends DurableObject<Env> {
  /**
   * Only in memory: repeated guesses keep the object awake, and after a pause counting may start
   * again.
   */
  #failures: number[] = []

  /** Responds, and stores nothing. */
  ping(): void {}

  /** Returns true the first time a name is used. The name is remembered until it expires. */
  async useOnce(name: string, expiresAt: number): Promise<boolean> {
    // Created here rather than in the constructor, so that guesses leave nothing in storage.
    this.ctx.storage.sql.exec(SCHEMA)
    const { rowsWritten } = this.ctx.storage.sql.exec(
      'INSERT INTO used (name, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
      name,
      expiresAt,
    )
    await this.#scheduleAlarm()
    return rowsWritten > 0
  }

  /** Counts a wrong secret. Returns for how many seconds no further secret may be checked. */
  countFailure(): number {
    const now = nowInSeconds()
    this.#failures = [...this.#failures.filter((time) => time > now - FAILURE_WINDOW), now]
    const [first = now] = this.#failures.slice(-MAX_FAILURES - 1)
    return this.#failures.length > MAX_FAILURES ? first + FAILURE_WINDOW - now : 0
  }

  override async alarm(): Promise<void> {
    this.ctx.storage.sql.exec('DELETE FROM used WHERE expires_at <= ?', nowInSeconds())
    await this.#scheduleAlarm()
  }

  async #scheduleAlarm(): Promise<void> {
    const query = 'SELECT min(expires_at) AS next FROM used'
    const { next } = this.ctx.storage.sql.exec<{ next: number | null }>(query).one()
    if (next !== null) return this.ctx.storage.setAlarm(next * 1000)
    await this.ctx.storage.deleteAll()
  }
}

/** The guard with this name. */
export function guardObject(env: Env, name: string): DurableObjectStub<GuardObject> {
  return env.GUARDS.get(env.GUARDS.idFromName(name))
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS used (
    name TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`
