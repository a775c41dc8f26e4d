/** A healthy login service responds much faster. */
const TIMEOUT = 3_000 // milliseconds

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
 * Runs one load at a time, for which all callers wait. Loads must not throw. In a Worker, a load
 * never finishes if the request that started it is cancelled, so nobody waits for long.
 */
export class SharedLoad {
  #running: Promise<void> | undefined

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  async run(load: () => Promise<void>): Promise<void> {
    const running = this.#running ?? load()
    this.#running = running
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, TIMEOUT)
    await Promise.race([running, timeout])
    clearTimeout(timer)
    if (this.#running === running) this.#running = undefined
  }
}
