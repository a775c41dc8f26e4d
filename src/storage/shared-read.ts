import { waitUntil } from 'cloudflare:workers'
import { withDeadline } from '../fetch/deadline.ts'

/** How long requests wait for a read before they use what they have instead. */
const DEADLINE = 2_000 // milliseconds

/** How often a request looks whether the read of another one has finished. */
const POLL_INTERVAL = 10 // milliseconds

interface Read<Value> {
  /** Returns the value or throws the error; absent until the read has finished. */
  result?: () => Value
}

/**
 * Reads a value once for all requests that need it at the same time, and fails after a deadline. Requests do
 * not share a promise, which belongs to the one that created it: they wait with timers of their own.
 */
export class SharedRead<Value> {
  #current: Read<Value> | undefined

  async run(read: () => Promise<Value>): Promise<Value> {
    const current = this.#current
    if (!current) return this.#start(read)
    for (let waited = 0; waited < DEADLINE; waited += POLL_INTERVAL) {
      if (current.result) return current.result()
      await scheduler.wait(POLL_INTERVAL)
    }
    this.#end(current)
    throw tooSlow()
  }

  /** Lets the next request read again, because the value has changed. */
  forget(): void {
    this.#current = undefined
  }

  #start(read: () => Promise<Value>): Promise<Value> {
    const current: Read<Value> = {}
    this.#current = current
    const work = this.#perform(current, read)
    // Others wait for it, so it must not end with this request if that is cancelled.
    waitUntil(work.catch(() => {}))
    return work
  }

  async #perform(current: Read<Value>, read: () => Promise<Value>): Promise<Value> {
    try {
      const value = await withDeadline(read(), DEADLINE, tooSlow)
      current.result = () => value
      return value
    } catch (error) {
      current.result = () => {
        throw error
      }
      throw error
    } finally {
      this.#end(current)
    }
  }

  #end(current: Read<Value>): void {
    if (this.#current === current) this.forget()
  }
}

function tooSlow(): Error {
  return new Error(`There was no response within ${DEADLINE / 1000} seconds.`)
}
