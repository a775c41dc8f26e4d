import { DurableObject } from 'cloudflare:workers'
import { LazyTable } from '../storage/lazy-table.ts'
import { namedObject } from '../storage/object-location.ts'
import { nowInSeconds } from '../values/clock.ts'
import {
  type DeviceDecision,
  type DeviceRequest,
  type PollResult,
  StoredDeviceRequest,
} from './device-request.ts'

/** The number of wrong secrets per minute after which no more are checked. */
const MAX_FAILURES = 10
const FAILURE_WINDOW = 60 // seconds

/** Expired values are deleted together, at most this often. */
const CLEAN_UP_INTERVAL = 60 // seconds

/** How often something may happen within a period. */
export interface UseLimit {
  max: number
  period: number // seconds
}

/** The result of presenting a short code, of which only a few may be tried. */
export type CodeResult =
  | { kind: 'accepted' }
  /** It is correct, and was accepted a moment ago. */
  | { kind: 'repeated' }
  | { kind: 'wrong'; remaining: number }
  | { kind: 'exhausted' }
  | { kind: 'used' }

/** How a short code may be used. */
export interface CodeRules {
  maxFailures: number
  /** For how many seconds the correct code can be presented again. */
  repeatableFor: number
  expiresAt: number
}

/** How long someone has to wait who has guessed wrong. */
export interface GuessDelays {
  /** The number of guesses without a delay. */
  free: number
  maxDelay: number // seconds
  /** How long a guess is remembered, in seconds. */
  memory: number
}

/** Counts things that must happen once, or not too often, and that belong to no user. */
export class GuardObject extends DurableObject<Env> {
  /**
   * Only in memory: repeated guesses keep the object awake, and after a pause counting may start
   * again.
   */
  #failures: number[] = []
  readonly #used = new LazyTable<UsedRow>(this.ctx.storage.sql, 'used', SCHEMA)
  readonly #device = new StoredDeviceRequest(this.ctx.storage.kv)

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
   * Counts a use under this name, unless one of the limits is reached. Returns for how many seconds
   * none is allowed; 0 if it was counted.
   */
  async countUse(limits: readonly UseLimit[], name: string): Promise<number> {
    const now = nowInSeconds()
    const memory = Math.max(...limits.map(({ period }) => period))
    const times = this.#rememberedTimes(now, memory)
    const waits = limits.map(({ max, period }) => {
      const oldest = times.at(-max)
      return oldest === undefined ? 0 : Math.max(0, oldest + period - now)
    })
    const wait = Math.max(...waits)
    if (wait === 0) await this.#remember(name, now + memory)
    return wait
  }

  /**
   * Checks a code that may be presented a few times and used once. Of several concurrent requests
   * with the correct code, one is accepted. After too many wrong ones, the correct one is rejected
   * too. Wrong ones are counted after the correct one as well, which could be guessed while it can
   * be repeated.
   */
  async tryCode(
    isCorrect: boolean,
    { maxFailures, repeatableFor, expiresAt }: CodeRules,
  ): Promise<CodeResult> {
    const names = this.#rememberedNames()
    const accepted = names.find((name) => name.startsWith('accepted'))
    const failures = names.filter((name) => name.startsWith('wrong ')).length
    const now = nowInSeconds()
    if (failures >= maxFailures) return { kind: accepted ? 'used' : 'exhausted' }
    if (isCorrect && accepted) {
      // Those of version 0.1.0 have no time.
      const acceptedAt = Number(accepted.split(' ')[1] ?? 0)
      return { kind: acceptedAt + repeatableFor > now ? 'repeated' : 'used' }
    }
    await this.#remember(isCorrect ? `accepted ${now}` : `wrong ${failures + 1}`, expiresAt)
    if (isCorrect) return { kind: 'accepted' }
    if (accepted) return { kind: 'used' }
    const remaining = maxFailures - failures - 1
    return remaining > 0 ? { kind: 'wrong', remaining } : { kind: 'exhausted' }
  }

  /**
   * Counts a guess under this name before it is checked, so that concurrent guesses do not evade the
   * delay. Beyond the free ones, each has to wait twice as long as the one before. Returns for how
   * many seconds no guess is allowed; 0 if it was counted.
   */
  async countGuess({ free, maxDelay, memory }: GuessDelays, name: string): Promise<number> {
    const now = nowInSeconds()
    const times = this.#rememberedTimes(now, memory)
    const last = times.at(-1)
    const delay = times.length < free ? 0 : Math.min(maxDelay, 2 ** (times.length - free))
    const wait = last === undefined ? 0 : Math.max(0, last + delay - now)
    if (wait === 0) await this.#remember(name, now + memory)
    return wait
  }

  /** Stores the request of a device. Returns false if another device has the same user code. */
  async startDeviceRequest(request: DeviceRequest): Promise<boolean> {
    if (!this.#device.start(request)) return false
    // The alarm deletes it.
    await this.#remember('device', request.expiresAt)
    return true
  }

  /** The request of a device, if no user has decided about it. */
  readDeviceRequest(): DeviceRequest | undefined {
    return this.#device.readPending()
  }

  /** Returns false if a user has already decided, or the request has expired. */
  decideDeviceRequest(decision: DeviceDecision): boolean {
    return this.#device.decide(decision)
  }

  /** The state of the request whose device code has this secret. */
  pollDeviceRequest(secretDigest: string): PollResult {
    return this.#device.poll(secretDigest)
  }

  /** Forgets the uses and guesses whose names begin like this. */
  async forget(beginning: string): Promise<void> {
    this.#used.exec('DELETE FROM used WHERE substr(name, 1, length(?1)) = ?1', beginning)
    await this.#scheduleAlarm()
  }

  /** Counts a wrong secret. Returns for how many seconds no further secret may be checked. */
  countFailure(): number {
    const now = nowInSeconds()
    this.#failures = [...this.#failures.filter((time) => time > now - FAILURE_WINDOW), now]
    const [first = now] = this.#failures.slice(-MAX_FAILURES - 1)
    return this.#failures.length > MAX_FAILURES ? first + FAILURE_WINDOW - now : 0
  }

  override async alarm(): Promise<void> {
    const now = nowInSeconds()
    this.#used.exec('DELETE FROM used WHERE expires_at <= ?', now)
    await this.#scheduleAlarm(now + CLEAN_UP_INTERVAL)
  }

  /** When the remembered uses took place, the oldest first. */
  #rememberedTimes(now: number, memory: number): number[] {
    return this.#used
      .exec('SELECT * FROM used WHERE expires_at > ? ORDER BY expires_at', now)
      .map(({ expires_at }) => expires_at - memory)
  }

  #rememberedNames(): string[] {
    return this.#used.exec('SELECT * FROM used').map(({ name }) => name)
  }

  async #remember(name: string, expiresAt: number): Promise<void> {
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
