import { withDeadline } from '../fetch/deadline.ts'
import type { Counts, CredentialsAnswer, CredentialsAnswers } from './counts.ts'
import {
  type COUNTERS,
  type Counted,
  type Counters,
  DURATION,
  type routeOf,
} from './metric-table.ts'
import { formatSeries } from './series.ts'

/**
 * How long counts stay in the isolate, so that each sends at most three reports per minute. Work
 * after a response may take 30 seconds.
 */
const SEND_DELAY = 20_000 // milliseconds

/** Longer than a working object needs. */
const DEADLINE = 5_000 // milliseconds

/** What this isolate has counted and not yet sent. */
let counts: Record<string, number> = {}

/** How providers answered our credentials in this isolate, until it is sent. */
let answers: CredentialsAnswers = {}

/** When this isolate planned to send its counts, in milliseconds since 1970. */
let plannedAt = 0

/** Counts something in memory. In a Durable Object, call `sendCounts` afterwards. */
export function count<Table extends Counters = typeof COUNTERS>(
  ...[name, labels]: Counted<NoInfer<Table>>
): void {
  increase(formatSeries(name, labels), 1)
}

/** Counts a request by its duration. */
export function countDuration(route: ReturnType<typeof routeOf>, seconds: number): void {
  const { name, buckets } = DURATION
  for (const le of [...buckets.filter((limit) => seconds <= limit), '+Inf']) {
    increase(formatSeries(`${name}_bucket`, { route, le: String(le) }), 1)
  }
  increase(formatSeries(`${name}_sum`, { route }), seconds)
  increase(formatSeries(`${name}_count`, { route }), 1)
}

/** Remembers how a provider answered, which is sent with the next counts. */
export function noteAnswer(providerId: string, answer: CredentialsAnswer): void {
  answers = { ...answers, [providerId]: answer }
}

/** The answers that this isolate has not sent yet. */
export function unsentAnswers(): CredentialsAnswers {
  return answers
}

/**
 * Sends the counts of this isolate after a while, unless that is already planned. The runtime may
 * have aborted an earlier plan, which is then replaced.
 */
export async function sendCountsLater(env: Env, config: Deployment): Promise<void> {
  const now = Date.now()
  if (now - plannedAt < 2 * SEND_DELAY || collectors(config).length === 0) return
  plannedAt = now
  await scheduler.wait(SEND_DELAY)
  plannedAt = 0
  await sendCounts(env, config)
}

/**
 * Sends the counts of this isolate to the features that collect them. If that fails, they are kept,
 * and nothing else happens.
 */
export async function sendCounts(env: Env, config: Deployment): Promise<void> {
  const sent: Counts = counts
  const sentAnswers = answers
  if (Object.keys({ ...sent, ...sentAnswers }).length === 0) return
  counts = {}
  answers = {}
  try {
    const calls = collectors(config).map((collect) => collect(env, sent, sentAnswers))
    await withDeadline(Promise.all(calls), DEADLINE, () => new Error('The object took too long.'))
  } catch (error) {
    counts = { ...addCounts(counts, sent) }
    answers = { ...sentAnswers, ...answers }
    console.error(JSON.stringify({ event: 'metrics_failed', cause: String(error) }))
  }
}

/** The part of the configuration that has the features. */
interface Deployment {
  features: readonly {
    collectCounts?(env: Env, counts: Counts, answers: CredentialsAnswers): Promise<void>
  }[]
}

function collectors({ features }: Deployment) {
  return features.flatMap(({ collectCounts }) => collectCounts ?? [])
}

export function addCounts(first: Counts, second: Counts): Counts {
  const sum: Record<string, number> = { ...first }
  for (const [series, count] of Object.entries(second)) sum[series] = (sum[series] ?? 0) + count
  return sum
}

function increase(series: string, by: number): void {
  counts[series] = (counts[series] ?? 0) + by
}
