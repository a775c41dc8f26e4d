import { ageOf } from '../../foundation/values/clock.ts'

/**
 * How long the verification of a token waits for the login service, whatever it has to fetch. A
 * healthy login service responds much faster.
 */
export const TIMEOUT = 3_000 // milliseconds

/** As much as the largest list of revocations needs. */
const MAX_LENGTH = 8 * 1024 * 1024 // bytes

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Fetches a document of the login service. Throws if that takes too long, or it is too large. */
export async function fetchDocument(fetch: Fetch, url: string): Promise<Uint8Array> {
  const response = await fetch(url, {
    headers: { 'Cache-Control': 'no-cache' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} returned status ${response.status}.`)
  }
  return readAtMost(response)
}

async function readAtMost(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_LENGTH) throw new Error(`${response.url} is too large.`)
    chunks.push(chunk)
  }
  const document = new Uint8Array(length)
  let position = 0
  for (const chunk of chunks) {
    document.set(chunk, position)
    position += chunk.length
  }
  return document
}

/**
 * Runs one load at a time, for which all callers wait until their deadline. Loads must not throw.
 * In a Worker, a load never finishes if the request that started it is cancelled, so that another
 * one is started later.
 */
export class SharedLoad {
  readonly #timeout: number
  #running: Promise<void> | undefined
  #startedAt = Number.NEGATIVE_INFINITY

  constructor(timeout = TIMEOUT) {
    this.#timeout = timeout
  }

  get isRunning(): boolean {
    return this.#running !== undefined && ageOf(this.#startedAt) < this.#timeout
  }

  /** Returns at the deadline at the latest, and does nothing after it. */
  async run(load: () => Promise<void>, deadline = Date.now() + this.#timeout): Promise<void> {
    const remaining = deadline - Date.now()
    if (remaining <= 0) return
    const running = this.isRunning ? this.#running : this.#start(load)
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, remaining)
    await Promise.race([running, timeout])
    clearTimeout(timer)
  }

  #start(load: () => Promise<void>): Promise<void> {
    this.#startedAt = Date.now()
    const started = load().finally(() => {
      if (this.#running === started) this.#running = undefined
    })
    this.#running = started
    return started
  }
}
