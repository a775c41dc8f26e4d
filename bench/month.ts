import type { BilledUsage } from './cost.ts'
import type { UserStorage } from './measure-usage.ts'
import { BASE_FEE, LOG_EVENT_PRICE, PRICES, type Price, STORAGE_PRICES } from './prices.ts'

/** A job, or another situation in which the service does something that is billed. */
export interface BilledJob {
  name: string
  usage: BilledUsage
}

export const FIRST_SESSION_CHECK_OF_DAY = 'session, first check of a day'

/**
 * What one monthly active user does in a month. Users come once a day on ten days, and use two apps
 * through OpenID Connect and one that calls the session endpoint. One user in twenty is new.
 * Backends cache the JWKS and discovery.
 */
const JOBS_PER_USER: Readonly<Record<string, number>> = {
  JWKS: 0.5,
  discovery: 0.5,
  // Abandoned attempts; completed ones are part of the full sign-ins.
  'sign-in start': 0.5,
  'full sign-in, new user': 0.05,
  'full sign-in, returning user': 2,
  [FIRST_SESSION_CHECK_OF_DAY]: 10,
  session: 50,
  'session with JWT': 20,
  'authorize, signed in': 4,
  'code exchange': 4,
  refresh: 30,
}

/** One line from the service and one from the platform per request. */
const LOG_EVENTS_PER_REQUEST = 2

const GIGABYTE = 1e9

export interface Month {
  activeUsers: number
  /** Dollars, by what they are charged for, after what the plan includes. */
  dollars: {
    baseFee: number
    requests: number
    cpu: number
    objects: number
    directory: number
    kv: number
    storage: number
    total: number
    /** Charged separately, and optional: logs can be sampled or turned off. */
    logs: number
  }
}

/** What a month costs at list prices, with this many monthly active users. */
export function monthlyCost(
  activeUsers: number,
  jobs: readonly BilledJob[],
  stored: UserStorage,
): Month {
  const amount = (item: keyof BilledUsage) => activeUsers * amountPerUser(jobs, item)
  const charge = (...items: (keyof BilledUsage)[]) =>
    items.reduce((sum, item) => sum + overage(amount(item), PRICES[item]), 0)
  const parts = {
    baseFee: BASE_FEE,
    requests: charge('requests'),
    cpu: charge('cpuMilliseconds'),
    objects: charge('objectRequests', 'objectRowsRead', 'objectRowsWritten'),
    directory: charge('directoryRowsRead', 'directoryRowsWritten'),
    kv: charge('kvReads', 'kvWrites'),
    storage: storageCost(activeUsers, stored),
  }
  const total = Object.values(parts).reduce((sum, dollars) => sum + dollars, 0)
  const logs = overage(LOG_EVENTS_PER_REQUEST * amount('requests'), LOG_EVENT_PRICE)
  return { activeUsers, dollars: { ...parts, total, logs } }
}

function amountPerUser(jobs: readonly BilledJob[], item: keyof BilledUsage): number {
  return jobs.reduce((sum, { name, usage }) => sum + (JOBS_PER_USER[name] ?? 0) * usage[item], 0)
}

function overage(amount: number, { dollarsPerMillion, included }: Price): number {
  return (Math.max(0, amount - included) / 1e6) * dollarsPerMillion
}

function storageCost(users: number, { usedObject, directory, kvEntry }: UserStorage): number {
  const bytes = { objects: usedObject, directory, kv: kvEntry }
  return (Object.keys(bytes) as (keyof typeof bytes)[]).reduce((sum, store) => {
    const { dollars, includedGigabytes } = STORAGE_PRICES[store]
    const gigabytes = (users * bytes[store]) / GIGABYTE
    return sum + Math.max(0, gigabytes - includedGigabytes) * dollars
  }, 0)
}
