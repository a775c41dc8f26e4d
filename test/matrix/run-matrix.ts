import { vi } from 'vitest'
import { DAY, MINUTE, setClock, stopClock } from '../clock.ts'
import { countCalls, countHits, type Fault, inject, PARTS, type Part } from './faults.ts'
import { newIsolate, type Service } from './isolate.ts'
import { describeResponse, judge, type Outcome } from './outcome.ts'
import type { DescribedRequest, PreparedRequest } from './requests/described-request.ts'

/** What happens to a request while a part fails. */
export type Cell =
  | { kind: 'not used' }
  | { kind: 'works' }
  | { kind: 'unavailable' }
  /** An isolate that has used the part before continues with what it has read, for this long. */
  | { kind: 'works from a copy'; for: string }

/** The ages of copies that are tried, just before they may be too old. */
const COPY_AGES: readonly [seconds: number, label: string][] = [
  [MINUTE - 5, '1 min'],
  [10 * MINUTE - 5, '10 min'],
  [DAY, 'no limit'],
]

/** Background work of Durable Objects has begun after this time. */
const BACKGROUND_DELAY = 60 // milliseconds

type Cells = Record<Part, Cell>

/** What happens to a request, by part, and what is wrong with it. */
export interface Row {
  request: DescribedRequest
  cells: Cells
  problems: string[]
}

export function nameOf({ route, variant }: DescribedRequest): string {
  return variant ? `${route}, ${variant}` : route
}

/** Sends a request while each of the parts fails. */
export async function runRow(request: DescribedRequest): Promise<Row> {
  const problems: string[] = []
  const startedAt = stopClock()
  const runner = new RequestRunner(request, startedAt)
  try {
    const cells = Object.fromEntries(PARTS.map((part) => [part, { kind: 'not used' }])) as Cells
    const { healthy, used } = await runner.healthy()
    for (const part of used) {
      const outcome = await runner.send({ part, fault: 'error', healthy })
      if (outcome.kind === 'wrong') problems.push(`${part}: ${outcome.description}`)
      cells[part] =
        outcome.kind === 'unavailable' ? await runner.findCopy(part, healthy) : { kind: 'works' }
    }
    return { request, cells, problems }
  } finally {
    inject(undefined)
    vi.useRealTimers()
  }
}

/** Waits for what the preparation does in the background, which is not part of the request. */
async function waitForQuiet(): Promise<void> {
  do {
    inject(undefined)
    await scheduler.wait(BACKGROUND_DELAY)
  } while (PARTS.some((part) => countCalls(part) > 0))
}

interface Attempt {
  part: Part
  fault: Fault
  healthy: string
  service?: Service
}

class RequestRunner {
  readonly #request: DescribedRequest
  readonly #startedAt: number
  #reusable: { prepared: PreparedRequest; preparedAt: number } | undefined

  constructor(request: DescribedRequest, startedAt: number) {
    this.#request = request
    this.#startedAt = startedAt
  }

  /** What the request leads to without a fault, and the parts that it uses. */
  async healthy(): Promise<{ healthy: string; used: Part[] }> {
    const prepared = await this.#prepare()
    await waitForQuiet()
    const response = await prepared.send(newIsolate())
    if (response.status >= 400 && !this.#request.isError) {
      const name = nameOf(this.#request)
      throw new Error(`${name} fails without a fault: ${await describeResponse(response)}`)
    }
    const healthy = await describeResponse(response)
    await scheduler.wait(BACKGROUND_DELAY)
    const used = PARTS.filter((part) => countCalls(part) > 0)
    if ((await prepared.isStored?.()) === false)
      throw new Error('It is not stored without a fault.')
    return { healthy, used }
  }

  /** Sends the request to an isolate, a new one by default, while a part fails. */
  async send({ part, fault, healthy, service = newIsolate() }: Attempt): Promise<Outcome> {
    const prepared = await this.#prepare()
    inject({ part, fault })
    const response = await prepared.send(service)
    if (countHits() === 0) await scheduler.wait(BACKGROUND_DELAY)
    const isHit = countHits() > 0
    inject(undefined)
    const outcome = await judge(response, healthy)
    if (outcome.kind !== 'works') return outcome
    if (!isHit) return { kind: 'wrong', description: 'the fault was not hit' }
    if ((await prepared.isStored?.()) === false) {
      return { kind: 'wrong', description: 'succeeds, but is not stored' }
    }
    return outcome
  }

  /** For how long an isolate that has handled the same request before can handle it again. */
  async findCopy(part: Part, healthy: string): Promise<Cell> {
    let label: string | undefined
    for (const [age, name] of COPY_AGES) {
      setClock(this.#startedAt)
      const service = newIsolate()
      await (await this.#prepare()).send(service)
      setClock(this.#startedAt + age)
      const prepared = await this.#prepare()
      inject({ part, fault: 'error' })
      const outcome = await judge(await prepared.send(service), healthy)
      inject(undefined)
      setClock(this.#startedAt)
      if (outcome.kind !== 'works') break
      label = name
    }
    return label ? { kind: 'works from a copy', for: label } : { kind: 'unavailable' }
  }

  /** A request that changes nothing is prepared once for each time. */
  async #prepare(): Promise<PreparedRequest> {
    inject(undefined)
    const { route, isSingleUse } = this.#request
    const now = Date.now()
    if (this.#reusable?.preparedAt === now) return this.#reusable.prepared
    const prepared = await this.#request.prepare()
    const isReusable = route.startsWith('GET ') && !isSingleUse && !prepared.isStored
    this.#reusable = isReusable ? { prepared, preparedAt: now } : undefined
    return prepared
  }
}
