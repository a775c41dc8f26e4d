import type { StoredBytes, Usage, UsageReport } from '../usage.ts'

type Caller = 'worker' | 'object'

/** A storage call, with its start and end as positions in the order of events. */
interface StorageCall {
  caller: Caller
  start: number
  end: number
}

interface MeteredRequest {
  calls: StorageCall[]
  /** When the response was ready. Calls that end later were not waited for. */
  end: number
}

/** Counts what requests use. Requests must be sent one at a time. */
export class Meter {
  #usage = noUsage()
  #stored: StoredBytes = { userObject: 0, userObjectPages: 0, directory: 0, kvEntry: 0 }
  #requests: MeteredRequest[] = []
  /** The runtime's clock stands still while code runs, so events are numbered instead. */
  #events = 0

  add(usage: Partial<Usage>): void {
    for (const [name, amount] of Object.entries(usage)) this.#usage[name as keyof Usage] += amount
  }

  setStored(stored: Partial<StoredBytes>): void {
    Object.assign(this.#stored, stored)
  }

  /** Runs a request. Storage calls belong to the request that started last. */
  async request<T>(run: () => Promise<T>): Promise<T> {
    const request: MeteredRequest = { calls: [], end: Number.POSITIVE_INFINITY }
    this.#requests.push(request)
    this.add({ requests: 1 })
    const response = await run()
    request.end = ++this.#events
    return response
  }

  /** Runs a storage call. */
  async call<T>(caller: Caller, run: () => PromiseLike<T>): Promise<T> {
    const call = { caller, start: ++this.#events, end: Number.POSITIVE_INFINITY }
    this.#requests.at(-1)?.calls.push(call)
    try {
      return await run()
    } finally {
      call.end = ++this.#events
    }
  }

  /** Returns what was counted since the last report. */
  report(): UsageReport {
    const sequentialCalls = this.#requests.reduce((sum, one) => sum + countSequential(one), 0)
    const report = { usage: this.#usage, sequentialCalls, stored: { ...this.#stored } }
    this.#usage = noUsage()
    this.#requests = []
    return report
  }
}

function noUsage(): Usage {
  return {
    requests: 0,
    objectRequests: 0,
    objectRowsRead: 0,
    objectRowsWritten: 0,
    directoryRowsRead: 0,
    directoryRowsWritten: 0,
    kvReads: 0,
    kvWrites: 0,
  }
}

/** Calls that an object makes happen during a call of the worker, and so they add to the chain. */
function countSequential({ calls, end }: MeteredRequest): number {
  const awaited = calls.filter((call) => call.end < end)
  const chains = (['worker', 'object'] as const).map((caller) =>
    longestChain(awaited.filter((call) => call.caller === caller)),
  )
  return chains.reduce((sum, length) => sum + length, 0)
}

/** The most calls of which each starts after the previous one has ended. */
function longestChain(calls: readonly StorageCall[]): number {
  let length = 0
  let lastEnd = 0
  for (const { start, end } of calls.toSorted((a, b) => a.end - b.end)) {
    if (start <= lastEnd) continue
    length++
    lastEnd = end
  }
  return length
}
