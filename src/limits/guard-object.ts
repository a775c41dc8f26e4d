import { DurableObject } from 'cloudflare:workers'
import { seconds } from '../clock.ts'

/** Wrong secrets in a minute after which no more are looked at. */
const MOST_FAILURES = 10
const ONE_MINUTE = 60 // seconds

/** What must happen once, or not too often, and belongs to no person. */
export class GuardObject extends DurableObject<Env> {
  /** In memory alone: who guesses keeps this object awake, and who pauses may start anew. */
  #failures: number[] = []

  /** True for the first who shows this name, until then. */
  async useOnce(name: string, expiresAt: number): Promise<boolean> {
    // Here and not before: who only guesses leaves nothing in storage.
    this.ctx.storage.sql.exec(SCHEMA)
    const { rowsWritten } = this.ctx.storage.sql.exec(
      'INSERT INTO used (name, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
      name,
      expiresAt,
    )
    await this.#wake()
    return rowsWritten > 0
  }

  /** Counts a wrong secret, and says for how many seconds none will be looked at. */
  countFailure(): number {
    const now = seconds()
    this.#failures = [...this.#failures.filter((at) => at > now - ONE_MINUTE), now]
    const [first = now] = this.#failures.slice(-MOST_FAILURES - 1)
    return this.#failures.length > MOST_FAILURES ? first + ONE_MINUTE - now : 0
  }

  override async alarm(): Promise<void> {
    this.ctx.storage.sql.exec('DELETE FROM used WHERE expires_at <= ?', seconds())
    await this.#wake()
  }

  async #wake(): Promise<void> {
    const query = 'SELECT min(expires_at) AS next FROM used'
    const { next } = this.ctx.storage.sql.exec<{ next: number | null }>(query).one()
    if (next !== null) return this.ctx.storage.setAlarm(next * 1000)
    await this.ctx.storage.deleteAll()
  }
}

/** What guards this. */
export function guardObject(env: Env, name: string): DurableObjectStub<GuardObject> {
  return env.GUARDS.get(env.GUARDS.idFromName(name))
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS used (
    name TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT`
