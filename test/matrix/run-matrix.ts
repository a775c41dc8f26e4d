import { vi } from 'vitest'
import { DAY, MINUTE, setClock, stopClock } from '../clock.ts'
import { countCalls, countHits, type Fault, inject, PARTS, type Part } from './faults.ts'
import { newIsolate, type Service } from './isolate.ts'
import { describeResponse, judge, type Outcome } from './outcome.ts'
import type { DescribedRequest, PreparedRequest } from './requests/described-request.ts'
import { shortenDeadlines } from './short-deadlines.ts'

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

/** Far longer than the shortened deadlines of the service. */
const RESPONSE_TIMEOUT = 8_000 // milliseconds

/** Further calls of one request are the same. */
const MAX_LOST_CALLS = 4

/** Far more than background work takes. */
const MAX_QUIET_ROUNDS = 50

/** Background work of Durable Objects has begun after this time. */
const BACKGROUND_DELAY = 100 // milliseconds

/** The columns of the table. */
export const COLUMNS = ['D1', 'D1 full', ...PARTS.slice(1)] as const

type Column = (typeof COLUMNS)[number]
type Cells = Record<Column, Cell>

/** Isolates have copies of what these have. Of users and guards, there is none. */
const COPIED: readonly Part[] = ['D1', 'KEYRING', 'REVOCATIONS', 'CLIENT_METADATA']

const OTHER_FAULTS: readonly Fault[] = ['slow', 'hang']
const DATABASE_FAULTS: readonly Fault[] = ['read-only', 'missing table']

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
  const cells = Object.fromEntries(COLUMNS.map((part) => [part, { kind: 'not used' }])) as Cells
  const row: Row = { request, cells, problems: [] }
  try {
    const runner = new RequestRunner(request, stopClock())
    for (const part of await runner.healthy()) await runPart(runner, part, row)
  } catch (error) {
    row.problems.push(String(error))
  } finally {
    inject(undefined)
    vi.useRealTimers()
  }
  return row
}

/** Sends a request while one part fails in every way. */
async function runPart(runner: RequestRunner, part: Part, row: Row): Promise<void> {
  const { request, cells, problems } = row
  const send = async (fault: Fault): Promise<Outcome['kind']> => {
    const outcome = await runner.send({ part, fault })
    const isResult = request.reports === part
    if (outcome.kind === 'wrong' && !isResult)
      problems.push(`${part}, ${fault}: ${outcome.description}`)
    return outcome.kind
  }
  cells[part] = CELLS[await send('error')]
  const isCopied = cells[part].kind === 'unavailable' && COPIED.includes(part)
  if (isCopied) cells[part] = await runner.findCopy(part)
  if (part === 'D1') cells['D1 full'] = CELLS[await send('full')]
  for (const fault of furtherFaults(request, part)) await send(fault)
  if (!isForAdministrators(request)) problems.push(...(await runner.repeat(part)))
}

/** Those that are wrong are reported. */
const CELLS: Record<Outcome['kind'], Cell> = {
  works: { kind: 'works' },
  unhurt: { kind: 'not used' },
  unavailable: { kind: 'unavailable' },
  wrong: { kind: 'works' },
}

/**
 * The requests of administrators are many, and of the same kinds. Nobody waits for the Cron Trigger.
 */
function furtherFaults(request: DescribedRequest, part: Part): readonly Fault[] {
  if (isForAdministrators(request) || request.route === 'the Cron Trigger') return []
  return part === 'D1' ? [...OTHER_FAULTS, ...DATABASE_FAULTS] : OTHER_FAULTS
}

function isForAdministrators({ route }: DescribedRequest): boolean {
  return route.includes(' /admin')
}

/** Sends a request while a part fails, and reports whether the fault had an effect. */
async function sendWithFault(
  prepared: PreparedRequest,
  { part, fault, call, service = newIsolate() }: Attempt,
): Promise<{ response: Response; isHit: boolean }> {
  const restore = fault === 'hang' ? shortenDeadlines() : () => undefined
  inject({ part, fault, call })
  try {
    const response = await Promise.race([prepared.send(service), noResponse()])
    if (countHits() === 0) await scheduler.wait(BACKGROUND_DELAY)
    return { response, isHit: countHits() > 0 }
  } finally {
    restore()
    inject(undefined)
  }
}

async function noResponse(): Promise<Response> {
  await scheduler.wait(RESPONSE_TIMEOUT)
  return new Response('no response', { status: 599 })
}

/** Waits for what the preparation does in the background, which is not part of the request. */
async function waitForQuiet(): Promise<void> {
  for (let round = 0; round < MAX_QUIET_ROUNDS; round++) {
    inject(undefined)
    await scheduler.wait(BACKGROUND_DELAY)
    if (PARTS.every((part) => countCalls(part) === 0)) return
  }
  throw new Error('The service does not become quiet.')
}

interface Attempt {
  part: Part
  fault: Fault
  /** Only this call fails. */
  call?: number
  service?: Service
}

class RequestRunner {
  readonly #request: DescribedRequest
  readonly #startedAt: number
  #reusable: { prepared: PreparedRequest; preparedAt: number } | undefined
  /** The response without a fault. */
  #healthy = ''
  readonly #calls = new Map<Part, number>()

  constructor(request: DescribedRequest, startedAt: number) {
    this.#request = request
    this.#startedAt = startedAt
  }

  /** Sends the request without a fault. Returns the parts that it uses. */
  async healthy(): Promise<Part[]> {
    const prepared = await this.#prepare()
    await waitForQuiet()
    const response = await prepared.send(newIsolate())
    this.#healthy = await describeResponse(response)
    if (response.status >= 400 && !this.#request.isError) {
      throw new Error(`${nameOf(this.#request)} fails without a fault: ${this.#healthy}`)
    }
    await scheduler.wait(BACKGROUND_DELAY)
    for (const part of PARTS) this.#calls.set(part, countCalls(part))
    if ((await prepared.isStored?.()) === false) {
      throw new Error(`${nameOf(this.#request)} is not stored without a fault.`)
    }
    return PARTS.filter((part) => this.#calls.get(part))
  }

  /** Sends the request to a new isolate while a part fails. */
  async send(attempt: Attempt): Promise<Outcome> {
    const prepared = await this.#prepare()
    const { response, isHit } = await sendWithFault(prepared, attempt)
    const outcome = await judge(response, this.#healthy)
    if (outcome.kind !== 'works') return outcome
    if (!isHit) return { kind: 'unhurt' }
    if ((await prepared.isStored?.()) === false) {
      return { kind: 'wrong', description: 'succeeds, but is not stored' }
    }
    return outcome
  }

  /**
   * Sends the request again after the answer of each of its calls to a part was lost. It ends in the
   * same state, or is refused if it can be used once. Returns what is wrong.
   */
  async repeat(part: Part): Promise<string[]> {
    const problems: string[] = []
    const count = Math.min(MAX_LOST_CALLS, this.#calls.get(part) ?? 0)
    for (let call = 1; call <= count; call++) {
      const prepared = await this.#prepare()
      const attempt = { part, fault: 'error after the call', call } as const
      const first = await judge((await sendWithFault(prepared, attempt)).response, this.#healthy)
      const again = await prepared.send(newIsolate())
      const name = `${part}, answer ${call} lost`
      if (first.kind === 'wrong') problems.push(`${name}: ${first.description}`)
      const problem = await this.#judgeRepeated(prepared, again)
      if (problem) problems.push(`${name}, then repeated: ${problem}`)
    }
    return problems
  }

  async #judgeRepeated(prepared: PreparedRequest, response: Response): Promise<string | undefined> {
    const { status } = response
    const description = await describeResponse(response)
    const isStored = await prepared.isStored?.()
    const isRefused = (status >= 400 && status < 500) || /\?error|\/signin\?/.test(description)
    if (description === this.#healthy && isStored !== false) return undefined
    if (this.#request.isSingleUse) {
      const isKept = isStored && this.#request.isSingleUse !== 'kept'
      return isRefused && !isKept ? undefined : `${description}, stored: ${isStored}`
    }
    return isStored && status < 500 ? undefined : `${description}, stored: ${isStored}`
  }

  /** For how long an isolate that has handled the same request before can handle it again. */
  async findCopy(part: Part): Promise<Cell> {
    let label: string | undefined
    for (const [age, name] of COPY_AGES) {
      setClock(this.#startedAt)
      const service = newIsolate()
      await (await this.#prepare()).send(service)
      setClock(this.#startedAt + age)
      const prepared = await this.#prepare()
      inject({ part, fault: 'error' })
      const outcome = await judge(await prepared.send(service), this.#healthy)
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
