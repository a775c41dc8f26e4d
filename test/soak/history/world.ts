import { createWriteStream, type WriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpBrowser, type HttpRequest } from '../../e2e/http-browser.ts'
import { type KillableServices, startKillableServices } from '../killable-services.ts'
import type { Exchange, Line } from './history.ts'
import type { Random } from './random.ts'

/** Not used by the services of other tests. */
const PORT = 22_787

export const LOGIN = `http://localhost:${PORT}`
export const PLATFORM = `http://localhost:${PORT + 1}`

/** Longer than the service takes on a busy machine. */
const REQUEST_TIMEOUT = 20_000 // milliseconds

/** The API that access tokens are for. */
export const API = 'https://orders.history.example'

export const REDIRECT_URI = 'http://localhost:1/callback'

/** The clients of the settings, besides the one that administrators change. */
export const CLIENTS = { web: 'history-web', changed: 'history-changed' }

export const ADMINISTRATOR = { id: 'history-admin', secret: 'secret-of-the-administrator' }
export const INTROSPECTOR = { id: 'history-api', secret: 'secret-of-the-api' }

export const ROLES = ['editor', 'author'] as const

/** An answer, whose text was read. */
export interface Answer {
  exchange: Exchange
  /** Undefined if the answer was lost. */
  response: Response | undefined
  text: string
}

/** How an answer gets lost: it is ignored, or the connection is closed after so many milliseconds. */
export type Loss = 'ignored' | number

/** The service, the clock of the history, and the file that it is written to. */
export class World {
  readonly #file: WriteStream
  readonly #storage: string
  readonly #clients: readonly ({ client_id: string } & Record<string, unknown>)[]
  #services: KillableServices | undefined
  #up: Promise<void> = Promise.resolve()
  #ids = 0
  readonly random: Random
  requests = 0
  isOver = false

  constructor(options: {
    path: string
    storage: string
    random: Random
    clients: readonly ({ client_id: string } & Record<string, unknown>)[]
  }) {
    this.#file = createWriteStream(options.path)
    this.#storage = options.storage
    this.#clients = options.clients
    this.random = options.random
  }

  now(): number {
    return performance.timeOrigin + performance.now()
  }

  newId(prefix: string): string {
    this.#ids += 1
    return `${prefix}${this.#ids}`
  }

  record(line: Line): void {
    this.#file.write(`${JSON.stringify(line)}\n`)
  }

  async start(): Promise<void> {
    this.#services = await startKillableServices({
      port: PORT,
      persist: this.#storage,
      clients: this.#clients,
      apis: [{ identifier: API, name: 'Orders', roles: ROLES }],
      main: 'test/faulty-service.ts',
    })
  }

  async kill(): Promise<void> {
    await this.#services?.kill()
    this.#services = undefined
  }

  /** Lets nobody send requests until this has finished. */
  async whileDown(work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#up = promise
    await work()
    resolve()
  }

  /** Waits until the service responds, if it was killed. */
  untilUp(): Promise<void> {
    return this.#up
  }

  /** Repeats something with random pauses, in milliseconds, until the run is over. */
  async repeat(pauses: [number, number], act: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      await sleep(this.random.between(...pauses))
      await this.#up
      if (!this.isOver) await act()
    }
  }

  /** Sends a request to the login service, and notes when. */
  async send(
    path: string,
    request: HttpRequest = {},
    { browser = new HttpBrowser(), loss }: { browser?: HttpBrowser; loss?: Loss | undefined } = {},
  ): Promise<Answer> {
    const url = new URL(path, LOGIN)
    const timeout = typeof loss === 'number' ? loss : REQUEST_TIMEOUT
    this.requests += 1
    const start = this.now()
    try {
      // A browser that gets no answer gets no cookies either.
      const sender = loss === 'ignored' ? browser.copy() : browser
      const response = await sender.request(url.href, { ...request, timeout })
      const text = await response.text()
      const span = { start, end: this.now() }
      if (loss === 'ignored') return { exchange: span, response: undefined, text: '' }
      const id = response.headers.get('X-Request-Id')
      const exchange = { ...span, status: response.status, ...(id && { request: id }) }
      return { exchange, response, text }
    } catch {
      return { exchange: { start, end: this.now() }, response: undefined, text: '' }
    }
  }

  /** Changes what fails, and the clock of the service. Returns how many calls have failed. */
  async control(body: object): Promise<number> {
    const { text } = await this.send('/__control', { body: JSON.stringify(body) })
    return text ? (JSON.parse(text) as { hits: number }).hits : 0
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#file.end(resolve))
  }
}
