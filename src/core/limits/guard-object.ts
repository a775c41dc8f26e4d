import { DurableObject } from 'cloudflare:workers'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { LazyTable } from '../storage/lazy-table.ts'
import { namedObject } from '../storage/object-location.ts'
import type { GuessDelays, UseLimit } from './limit-table.ts'
import { type CountedPart, WHOLE } from './network.ts'

/** Expired values are deleted together, at most this often. */
const CLEAN_UP_INTERVAL = 60 // seconds

declare module '../storage/extensible-objects.ts' {
  interface ExtensibleObjects {
    GuardObject: typeof GuardObject
  }
}

/** Counts things that must happen once, or not too often, and that belong to no user. */
export class GuardObject extends DurableObject<Env> {
  /**
   * Only in memory: repeated guesses keep the object awake, and after a pause counting may start
   * again.
   */
  #failures: Use[] = []
  readonly #used = new LazyTable<UsedRow>(this.ctx.storage.sql, 'used', SCHEMA)

  /** Responds, and stores nothing. */
  ping(): void {}

  /** Returns true the first time a name is used. The name is remembered until it expires. */
  async useOnce(name: string, expiresAt: number): Promise<boolean> {
    const isFirst = this.#used.insert(
      'INSERT INTO used (name, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
      name,
      expiresAt,
    )
    // The time of the next expiry is not read for each value, because there may be many.
    if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(expiresAt * 1000)
    }
    return isFirst
  }

  /**
   * Counts a use or a guess under this name, unless the limit is reached in one of the parts: before
   * it is checked, so that concurrent guesses do not evade the delay. Returns for how many seconds
   * none is allowed; 0 if it was counted.
   */
  async countUse(
    limit: readonly UseLimit[] | GuessDelays,
    name: string,
    parts: readonly CountedPart[] = [WHOLE],
  ): Promise<number> {
    const now = nowInSeconds()
    const memory = 'memory' in limit ? limit.memory : longestPeriod(limit)
    const uses = this.#rememberedUses(now, memory)
    const waits = parts.map((part) =>
      'memory' in limit
        ? waitForGuess(uses, limit, { part, now })
        : waitForUse(uses, limit, { part, now }),
    )
    const wait = Math.max(...waits)
    if (wait === 0) await this.remember(name, now + memory)
    return wait
  }

  /** Forgets the uses and guesses whose names begin like this. */
  async forget(prefix: string): Promise<void> {
    this.#used.exec('DELETE FROM used WHERE substr(name, 1, length(?1)) = ?1', prefix)
    await this.#scheduleAlarm()
  }

  /**
   * Counts a wrong secret, unless the limit is reached in one of the parts. Returns for each part for
   * how many seconds no further secret may be checked.
   */
  countFailure(
    limits: readonly UseLimit[],
    name: string,
    parts: readonly CountedPart[] = [WHOLE],
  ): number[] {
    const now = nowInSeconds()
    const memory = longestPeriod(limits)
    this.#failures = this.#failures.filter(({ at }) => at > now - memory)
    const waits = parts.map((part) => waitForUse(this.#failures, limits, { part, now }))
    if (Math.max(...waits) === 0) this.#failures.push({ name, at: now })
    return waits
  }

  override async alarm(): Promise<void> {
    const now = nowInSeconds()
    this.#used.exec('DELETE FROM used WHERE expires_at <= ?', now)
    await this.#scheduleAlarm(now + CLEAN_UP_INTERVAL)
  }

  /** The remembered uses, the oldest first. */
  #rememberedUses(now: number, memory: number): Use[] {
    return this.#used
      .exec('SELECT * FROM used WHERE expires_at > ? ORDER BY expires_at', now)
      .map(({ name, expires_at }) => ({ name, at: expires_at - memory }))
  }

  /** The names that have not been forgotten. */
  protected rememberedNames(): string[] {
    return this.#used.exec('SELECT * FROM used').map(({ name }) => name)
  }

  /** Remembers a name until it expires. Everything is deleted when nothing is remembered. */
  protected async remember(name: string, expiresAt: number): Promise<void> {
    this.#used.insert('INSERT INTO used (name, expires_at) VALUES (?, ?)', name, expiresAt)
    await this.#scheduleAlarm()
  }

  async #scheduleAlarm(notBefore = 0): Promise<void> {
    const query = 'SELECT min(expires_at) AS next FROM used'
    const [row] = this.#used.exec<{ next: number | null }>(query)
    if (typeof row?.next === 'number') {
      return this.ctx.storage.setAlarm(Math.max(row.next, notBefore) * 1000)
    }
    this.#used.reset()
    await this.ctx.storage.deleteAll()
  }
}

/** What was counted, and when, in seconds since 1970. */
interface Use {
  name: string
  at: number
}

/** A part of what is counted, now. */
interface Moment {
  part: CountedPart
  now: number
}

function longestPeriod(limits: readonly UseLimit[]): number {
  return Math.max(...limits.map(({ period }) => period))
}

function waitForUse(
  uses: readonly Use[],
  limits: readonly UseLimit[],
  { part: { prefix, factor }, now }: Moment,
): number {
  const counted = uses.filter(({ name }) => name.startsWith(prefix))
  const waits = limits.map(({ max, period }) => {
    const oldest = counted.at(-Math.ceil(max * factor))
    return oldest === undefined ? 0 : Math.max(0, oldest.at + period - now)
  })
  return Math.max(...waits)
}

/** Beyond the free ones, each guess has to wait twice as long as the one before. */
function waitForGuess(
  guesses: readonly Use[],
  { free, maxDelay }: GuessDelays,
  { part: { prefix, factor }, now }: Moment,
): number {
  const counted = guesses.filter(({ name }) => name.startsWith(prefix))
  const excess = counted.length - free * factor
  const last = counted.at(-1)
  if (last === undefined || excess < 0) return 0
  return Math.max(0, last.at + Math.min(maxDelay, 2 ** excess) - now)
}

/** The guard with this name. */
export function guardObject(env: Env, name: string): DurableObjectStub<GuardObject> {
  return namedObject(env, env.GUARDS, name)
}

type UsedRow = {
  name: string
  expires_at: number
}

const SCHEMA = `
  CREATE TABLE used (
    name TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`
