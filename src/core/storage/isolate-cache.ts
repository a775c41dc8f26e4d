import { waitUntil } from 'cloudflare:workers'
import { withDeadline } from '../fetch/deadline.ts'
import { UnavailableError } from './unavailable-error.ts'

/** By default, a copy that is older is used, and replaced in the background. */
const REFRESH_AGE = 30_000 // milliseconds

/** Changes must take effect within a minute: for a copy that is older, the request waits. */
const MAX_AGE = 60_000 // milliseconds

/** After a failed read, the copy is used for this long without reading again. */
const RETRY_INTERVAL = 5_000 // milliseconds

/** How long requests wait for a read before they use the copy instead. */
const DEADLINE = 2_000 // milliseconds

/** How often a request looks whether the read of another one has finished. */
const POLL_INTERVAL = 10 // milliseconds

interface Entry<Value> {
  copy: Copy<Value> | undefined
  /** The read that is under way, which all requests wait for. */
  read: object | undefined
}

interface Copy<Value> {
  value: Value
  /** When the read was started, in milliseconds since 1970. */
  readAt: number
  /** Until when no other read is started, because one has failed. */
  retryAt: number
}

/** Reads the value from storage. What is still valid of the former value can be reused. */
type Read<Value> = (former: Value | undefined) => Promise<Value>

interface CacheOptions {
  /** The event in the log when a copy could not be replaced. */
  failureEvent: string
  /** A copy that is older is used, and replaced in the background, in milliseconds. */
  refreshAge?: number
  /** While storage cannot be reached, a copy is used until this age, in milliseconds. */
  maxOutageAge: number
}

/**
 * A value of storage that the requests of an isolate share, so that they usually wait for no read.
 * A copy is replaced before it is a minute old; while storage cannot be reached, it is used for
 * longer.
 *
 * Requests do not share a promise, which belongs to the one that created it: they wait with timers
 * of their own.
 */
export class IsolateCache<Value> {
  readonly #options: CacheOptions
  readonly #entries = new WeakMap<object, Entry<Value>>()

  constructor(options: CacheOptions) {
    this.#options = options
  }

  /**
   * The value for a configuration, at most a minute old by default. Throws what `read` throws if
   * there is no copy.
   */
  async get(config: object, read: Read<Value>, maxAge = MAX_AGE): Promise<Value> {
    const entry = this.#entries.get(config) ?? { copy: undefined, read: undefined }
    this.#entries.set(config, entry)
    const { copy } = entry
    const age = Date.now() - (copy?.readAt ?? 0)
    // A copy from the future has an unknown age: the clock was set back.
    if (!copy || age < 0 || age >= this.#options.maxOutageAge) {
      entry.copy = undefined
      return readCopy(entry, read)
    }
    const { refreshAge = REFRESH_AGE } = this.#options
    if (age < Math.min(refreshAge, maxAge) || Date.now() < copy.retryAt) return copy.value
    if (age >= maxAge) {
      await (entry.read ? waitForRead(entry, entry.read) : this.#refresh(entry, read))
    } else if (!entry.read) {
      void this.#refresh(entry, read)
    }
    return (entry.copy ?? copy).value
  }

  /**
   * Makes this isolate read again, because it has changed the value. A read that began before has
   * no effect.
   */
  forget(config: object): void {
    this.#entries.delete(config)
  }

  /** Replaces the copy. If this fails, or takes too long, the former copy stays. */
  #refresh(entry: Entry<Value>, read: Read<Value>): Promise<void> {
    const current = {}
    entry.read = current
    const refresh = async () => {
      try {
        await withDeadline(readCopy(entry, read), DEADLINE, tooSlow)
      } catch (error) {
        if (entry.copy) entry.copy.retryAt = Date.now() + RETRY_INTERVAL
        const cause = error instanceof UnavailableError ? error.cause : error
        const { failureEvent: event } = this.#options
        console.error(JSON.stringify({ event, cause: String(cause) }))
      } finally {
        endRead(entry, current)
      }
    }
    const work = refresh()
    // Others wait for it, so it must not end with this request if that is cancelled.
    waitUntil(work)
    return work
  }
}

async function readCopy<Value>(entry: Entry<Value>, read: Read<Value>): Promise<Value> {
  const readAt = Date.now()
  const value = await read(entry.copy?.value)
  const isNewest = (entry.copy?.readAt ?? 0) <= readAt
  if (isNewest) entry.copy = { value, readAt, retryAt: 0 }
  return value
}

async function waitForRead<Value>(entry: Entry<Value>, current: object): Promise<void> {
  for (let waited = 0; waited < DEADLINE && entry.read === current; waited += POLL_INTERVAL) {
    await scheduler.wait(POLL_INTERVAL)
  }
  endRead(entry, current)
}

function endRead<Value>(entry: Entry<Value>, current: object): void {
  if (entry.read === current) entry.read = undefined
}

function tooSlow(): Error {
  return new Error(`There was no response within ${DEADLINE / 1000} seconds.`)
}
