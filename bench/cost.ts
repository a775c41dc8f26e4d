import { PRICES } from './prices.ts'
import type { Usage } from './usage.ts'

/** What one job uses of everything that is billed. */
export interface BilledUsage extends Usage {
  /**
   * CPU of the worker. Durable Objects are not billed for CPU, but for requests, rows and duration.
   */
  cpuMilliseconds: number
}

/** Dollars for a million jobs. */
export interface JobCost {
  /** Requests, CPU, KV and D1. */
  withoutObjects: number
  /** The above, and the requests and rows of Durable Objects. */
  total: number
}

const OBJECT_ITEMS: readonly (keyof BilledUsage)[] = [
  'objectRequests',
  'objectRowsRead',
  'objectRowsWritten',
]

/** The list price, without what the plan includes. */
export function jobCost(usage: BilledUsage): JobCost {
  const items = Object.keys(PRICES) as (keyof BilledUsage)[]
  const dollars = (item: keyof BilledUsage) => usage[item] * PRICES[item].dollarsPerMillion
  const sum = (some: readonly (keyof BilledUsage)[]) =>
    some.reduce((total, item) => total + dollars(item), 0)
  return { withoutObjects: sum(items) - sum(OBJECT_ITEMS), total: sum(items) }
}
