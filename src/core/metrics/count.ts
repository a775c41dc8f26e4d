import { nowInSeconds } from '../../foundation/values/clock.ts'
import { withDeadline } from '../fetch/deadline.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import type {
  Counts,
  CredentialsAnswer,
  CredentialsAnswers,
  MinuteCounts,
  Report,
  SecretUses,
} from './counts.ts'
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

/** What this isolate has counted and noted, and not yet sent. */
let unsent = emptyReport()

function emptyReport(): Report {
  return { counts: {}, answers: {}, secretUses: {}, signIns: {} }
}

/** On which day this isolate has noted each secret, so that it reports each once a day. */
const notedOn = new BoundedMap<string, string>(1000)

/** When this isolate planned to send its counts, in milliseconds since 1970. */
let plannedAt = 0

/** Counts something in memory. In a Durable Object, call `sendCounts` afterwards. */
export function count<Table extends Counters = typeof COUNTERS>(
  ...[name, labels]: Counted<NoInfer<Table>>
): void {
  increase(formatSeries(name, labels), 1)
}

/** The series of the durations of each route, which are formatted once. */
const durationSeries = new Map<Route, DurationSeries>()

type Route = ReturnType<typeof routeOf>

interface DurationSeries {
  buckets: readonly { limit: number; series: string }[]
  sum: string
  count: string
}

/** Counts a request by its duration. */
export function countDuration(route: Route, seconds: number): void {
  const { buckets, sum, count } = durationSeries.get(route) ?? createDurationSeries(route)
  for (const { limit, series } of buckets) if (seconds <= limit) increase(series, 1)
  increase(sum, seconds)
  increase(count, 1)
}

function createDurationSeries(route: Route): DurationSeries {
  const { name, buckets } = DURATION
  const created = {
    buckets: [...buckets, Number.POSITIVE_INFINITY].map((limit) => {
      const le = limit === Number.POSITIVE_INFINITY ? '+Inf' : String(limit)
      return { limit, series: formatSeries(`${name}_bucket`, { route, le }) }
    }),
    sum: formatSeries(`${name}_sum`, { route }),
    count: formatSeries(`${name}_count`, { route }),
  }
  durationSeries.set(route, created)
  return created
}

/** Remembers how a provider answered, which is sent with the next counts. */
export function noteAnswer(providerId: string, answer: CredentialsAnswer): void {
  unsent.answers = { ...unsent.answers, [providerId]: answer }
}

/** Counts a sign-in in the present minute, which is sent with the next counts. */
export function countSignIn(outcome: 'succeeded' | 'failed'): void {
  const minute = Math.floor(nowInSeconds() / 60)
  const present = unsent.signIns[minute]
  if (present) {
    present[outcome] += 1
    return
  }
  const added = { [minute]: { succeeded: 0, failed: 0, [outcome]: 1 } }
  unsent.signIns = addMinutes(unsent.signIns, added)
}

/**
 * Remembers that a client has authenticated with one of its secrets today, which is sent with the
 * next counts. Only registered secrets are noted, so strangers cannot add any.
 */
export function noteSecretUse(clientId: string, credentialId: string): void {
  const today = new Date(nowInSeconds() * 1000).toISOString().slice(0, 10)
  if (notedOn.get(credentialId) === today) return
  notedOn.set(credentialId, today)
  unsent.secretUses = addUses(unsent.secretUses, { [clientId]: { [credentialId]: today } })
}

/** The answers that this isolate has not sent yet. */
export function unsentAnswers(): CredentialsAnswers {
  return unsent.answers
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
 * and nothing else happens. Too slow a call may still succeed, so its counts are kept only when it
 * fails: they are rather lost with the isolate than added twice.
 */
export async function sendCounts(env: Env, config: Deployment): Promise<void> {
  const sent = unsent
  if (Object.values(sent).every((part) => Object.keys(part).length === 0)) return
  unsent = emptyReport()
  const calls = collectors(config).map((collect) => collect(env, sent))
  const added = Promise.all(calls).catch((error: unknown) => {
    keepCounts(sent)
    throw error
  })
  try {
    await withDeadline(added, DEADLINE, () => new Error('The object took too long.'))
  } catch (error) {
    console.error(JSON.stringify({ event: 'metrics_failed', cause: String(error) }))
  }
}

/** Keeps what could not be sent, for the next report. */
function keepCounts(sent: Report): void {
  unsent = {
    counts: addCounts(sent.counts, unsent.counts),
    answers: { ...sent.answers, ...unsent.answers },
    secretUses: addUses(sent.secretUses, unsent.secretUses),
    signIns: addMinutes(sent.signIns, unsent.signIns),
  }
}

/** The part of the configuration that has the features. */
interface Deployment {
  features: readonly {
    collectCounts?(env: Env, report: Report): Promise<void>
  }[]
}

function collectors({ features }: Deployment) {
  return features.flatMap(({ collectCounts }) => collectCounts ?? [])
}

/** The sums of the last hour: nothing shows older ones. */
export function addMinutes(first: MinuteCounts, second: MinuteCounts): MinuteCounts {
  const sum = new Map<number, MinuteCounts[number]>()
  for (const [name, { succeeded, failed }] of [first, second].flatMap((each) =>
    Object.entries(each),
  )) {
    const minute = Number(name)
    const present = sum.get(minute) ?? { succeeded: 0, failed: 0 }
    sum.set(minute, {
      succeeded: present.succeeded + succeeded,
      failed: present.failed + failed,
    })
  }
  const oldest = Math.floor(nowInSeconds() / 60) - 59
  return Object.fromEntries([...sum].filter(([minute]) => minute >= oldest))
}

/** The second ones are later. */
function addUses(first: SecretUses, second: SecretUses): SecretUses {
  const later = Object.entries(second).map(([client, used]) => [
    client,
    { ...first[client], ...used },
  ])
  return { ...first, ...Object.fromEntries(later) }
}

export function addCounts(first: Counts, second: Counts): Report['counts'] {
  const sum = { ...first }
  for (const [series, count] of Object.entries(second)) sum[series] = (sum[series] ?? 0) + count
  return sum
}

function increase(series: string, by: number): void {
  const { counts } = unsent
  counts[series] = (counts[series] ?? 0) + by
}
