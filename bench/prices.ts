/**
 * List prices of the Workers Paid plan in US dollars, as of November 2026:
 * {@link https://developers.cloudflare.com/workers/platform/pricing/}
 * {@link https://developers.cloudflare.com/durable-objects/platform/pricing/}
 */
export const PRICES_AS_OF = '2026-11'

export interface Price {
  dollarsPerMillion: number
  /** What the plan's base fee includes, per month. */
  included: number
}

const MILLION = 1e6
const BILLION = 1e9

/** Per month, for an account. */
export const BASE_FEE = 5

export const PRICES = {
  requests: { dollarsPerMillion: 0.3, included: 10 * MILLION },
  cpuMilliseconds: { dollarsPerMillion: 0.02, included: 30 * MILLION },
  objectRequests: { dollarsPerMillion: 0.15, included: 1 * MILLION },
  objectRowsRead: { dollarsPerMillion: 0.001, included: 25 * BILLION },
  objectRowsWritten: { dollarsPerMillion: 1, included: 50 * MILLION },
  directoryRowsRead: { dollarsPerMillion: 0.001, included: 25 * BILLION },
  directoryRowsWritten: { dollarsPerMillion: 1, included: 50 * MILLION },
  kvReads: { dollarsPerMillion: 0.5, included: 10 * MILLION },
  kvWrites: { dollarsPerMillion: 5, included: 1 * MILLION },
} satisfies Record<string, Price>

interface StoragePrice {
  /** Per GB and month. */
  dollars: number
  includedGigabytes: number
}

export const STORAGE_PRICES = {
  objects: { dollars: 0.2, includedGigabytes: 5 },
  directory: { dollars: 0.75, includedGigabytes: 5 },
  kv: { dollars: 0.5, includedGigabytes: 1 },
} satisfies Record<string, StoragePrice>

/** Workers Logs. This price ends on 2026-12-01, when another scheme replaces it. */
export const LOG_EVENT_PRICE: Price = { dollarsPerMillion: 0.6, included: 20 * MILLION }
