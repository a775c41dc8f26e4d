import { vi } from 'vitest'
import { DAY, MINUTE, setClock, stopClock } from '../clock.ts'
import {
  countCalls,
  countHits,
  type Fault,
  hasWritten,
  inject,
  PARTS,
  type Part,
} from './faults.ts'
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
  [DAY - 5, '1 day'],
  [DAY + 5, 'no limit'],
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
const COPIED: readonly Part[] = ['D1', 'KEYRING', 'REVOCATIONS', 'CLIENT_METADATA', 'provider']

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
  const isOptional = cells[part].kind === 'works'
  const isCopied = cells[part].kind === 'unavailable' && COPIED.includes(part)
  if (isCopied) cells[part] = await runner.findCopy(part)
  if (part === 'D1') cells['D1 full'] = CELLS[await send('full')]
  for (const fault of furtherFaults(request, part)) await send(fault)
  problems.push(...(await runner.repeat(part)))
  problems.push(...(await runner.repeatUnstored(part, isOptional)))
}

/** Those that are wrong are reported. */
const CELLS: Record<Outcome['kind'], Cell> = {
  works: { kind: 'works' },
  unhurt: { kind: 'not used' },
  unavailable: { kind: 'unavailable' },
  wrong: { kind: 'works' },
}

/** Nobody waits for the Cron Trigger, and the requests of administrators are many. */
function furtherFaults({ route }: DescribedRequest, part: Part): readonly Fault[] {
  const isScheduled = route === 'the Cron Trigger'
  const isForAdministrators = route.includes(' /admin')
  return [
    ...(isScheduled || isForAdministrators ? [] : (['slow'] as const)),
    ...(isScheduled ? [] : (['hang'] as const)),
    ...(part === 'D1' ? (['read-only', 'missing table'] as const) : []),
  ]
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
  #writers: readonly Part[] = []

  constructor(request: DescribedRequest, startedAt: number) {
    this.#request = request
    this.#startedAt = startedAt
  }

  /** Sends the request without a fault. Returns the parts that it uses. */
  async healthy(): Promise<Part[]> {
    this.#request.forgetCopies?.()
    const prepared = await this.#prepare()
    await waitForQuiet()
    const response = await prepared.send(newIsolate())
    this.#healthy = await describeResponse(response)
    if (response.status >= 400 && !this.#request.isError) {
      throw new Error(`${nameOf(this.#request)} fails without a fault: ${this.#healthy}`)
    }
    await scheduler.wait(BACKGROUND_DELAY)
    for (const part of PARTS) this.#calls.set(part, countCalls(part))
    this.#writers = PARTS.filter(hasWritten)
    if ((await prepared.isStored?.()) === false) {
      throw new Error(`${nameOf(this.#request)} is not stored without a fault.`)
    }
    return PARTS.filter((part) => this.#calls.get(part))
  }

  /** Sends the request to a new isolate while a part fails. */
  async send(attempt: Attempt): Promise<Outcome> {
    this.#request.forgetCopies?.()
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

  /** Sends the request again after the answer of each of its calls to a part was lost. */
  async repeat(part: Part): Promise<string[]> {
    const problems: string[] = []
    const count = Math.min(MAX_LOST_CALLS, this.#calls.get(part) ?? 0)
    for (let call = 1; call <= count; call++) {
      const attempt = { part, fault: 'error after the call', call } as const
      const name = `${part}, answer ${call} lost`
      problems.push(...(await this.#sendAgain(name, attempt)).problems)
    }
    return problems
  }

  /**
   * Sends the request again after an object could not write. If the request does not need the
   * object, it does not need its writes either.
   */
  async repeatUnstored(part: Part, isOptional: boolean): Promise<string[]> {
    const problems: string[] = []
    if (!this.#writers.includes(part)) return problems
    for (const fault of ['full', 'read-only'] as const) {
      const name = `${part}, ${fault}`
      const { first, problems: found } = await this.#sendAgain(name, { part, fault })
      problems.push(...found)
      if (isOptional && first === 'unavailable') problems.push(`${name}: unavailable`)
    }
    return problems
  }

  /** A repeated request ends in the same state, or is refused if it can be used once. */
  async #sendAgain(
    name: string,
    attempt: Attempt,
  ): Promise<{ first: Outcome['kind']; problems: string[] }> {
    this.#request.forgetCopies?.()
    const prepared = await this.#prepare()
    const { response, isHit } = await sendWithFault(prepared, attempt)
    const first = await judge(response, this.#healthy)
    if (!isHit) return { first: 'unhurt', problems: [] }
    const problems = first.kind === 'wrong' ? [`${name}: ${first.description}`] : []
    if (first.kind === 'works' && (await prepared.isStored?.()) === false) {
      problems.push(`${name}: succeeds, but is not stored`)
    }
    const problem = await this.#judgeRepeated(prepared, await prepared.send(newIsolate()))
    if (problem) problems.push(`${name}, then repeated: ${problem}`)
    return { first: first.kind, problems }
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
      this.#request.forgetCopies?.()
      const sentAt = Date.now() / 1000
      const service = newIsolate()
      await (await this.#prepare()).send(service)
      setClock(sentAt + age)
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
