import { UnavailableError } from '../client/session.ts'
import { SharedLoad } from '../verify/fetch-document.ts'

/** Beyond this number, the results that were requested first are forgotten. */
const MAX_RESULTS = 1000

/** How often a request is repeated that the login service did not respond to. */
const RETRY_INTERVAL = 5_000 // milliseconds

interface Entry<Result> {
  load: SharedLoad
  result?: Result
  error?: unknown
  /** Until then, neither the result nor the error is requested again. */
  expiresAt: number
}

/**
 * What the login service has responded, which this instance remembers for a while. Simultaneous
 * callers with the same key wait for one request.
 */
export class SharedResults<Result> {
  readonly #entries = new Map<string, Entry<Result>>()
  readonly #timeout: number

  /** How long callers wait, in milliseconds. */
  constructor(timeout: number) {
    this.#timeout = timeout
  }

  /** The result that is remembered. */
  find(key: string): Result | undefined {
    const entry = this.#entries.get(key)
    return entry && Date.now() < entry.expiresAt ? entry.result : undefined
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }

  /** The result that is remembered, or that of a request. `maxAge` is in milliseconds. */
  async get(key: string, maxAge: number, request: () => Promise<Result>): Promise<Result> {
    const entry = this.#entries.get(key) ?? this.#add(key)
    if (Date.now() >= entry.expiresAt) {
      delete entry.result
      delete entry.error
      await entry.load.run(async () => {
        try {
          entry.result = await request()
          entry.expiresAt = Date.now() + maxAge
        } catch (error) {
          entry.error = error
          entry.expiresAt = Date.now() + RETRY_INTERVAL
        }
      })
    }
    if (entry.result !== undefined) return entry.result
    throw entry.error ?? new UnavailableError('The login service took too long.')
  }

  #add(key: string): Entry<Result> {
    const entry = { load: new SharedLoad(this.#timeout), expiresAt: Number.NEGATIVE_INFINITY }
    this.#entries.set(key, entry)
    const [oldest = ''] = this.#entries.keys()
    if (this.#entries.size > MAX_RESULTS) this.#entries.delete(oldest)
    return entry
  }
}
