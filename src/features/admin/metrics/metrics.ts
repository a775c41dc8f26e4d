import { listKeys } from '../../../administration/manage-keys.ts'
import { readAuditSize, readHourlyCounts } from '../../../administration/read-audit.ts'
import { MAX_ENTRIES } from '../../../core/audit/audit-log.ts'
import type { Config } from '../../../core/config/config.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { sendCounts } from '../../../core/metrics/count.ts'
import type { Counts } from '../../../core/metrics/counts.ts'
import { DURATION, type Sample } from '../../../core/metrics/metric-table.ts'
import { formatSeries } from '../../../core/metrics/series.ts'
import { checkReadiness } from '../../../core/readiness/check-readiness.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import { VERSION } from '../../../foundation/values/version.ts'
import { countersOf } from './counters.ts'
import { metricsObject } from './metrics-object.ts'

const DAY = 24 * 3600 // seconds

/** What is read when the metrics are requested. */
export const READ_METRICS = {
  vestibule_sign_ins_total: { type: 'counter', help: 'Sign-ins since midnight UTC.' },
  vestibule_key_age_seconds: {
    type: 'gauge',
    help: 'Since when the active signing keys have been in use.',
  },
  vestibule_audit_entries: {
    type: 'gauge',
    help: 'Entries of the audit log at the last full hour.',
  },
  vestibule_audit_max_entries: {
    type: 'gauge',
    help: 'With more entries, the oldest ones are deleted before they expire.',
  },
  vestibule_database_bytes: { type: 'gauge', help: 'The size of the database.' },
  vestibule_build_info: { type: 'gauge', help: '1, with the version that is deployed.' },
  vestibule_ready: { type: 'gauge', help: '1 if a check of /readyz succeeds, otherwise 0.' },
  vestibule_warning: { type: 'gauge', help: '1 if a check of /readyz has a warning, otherwise 0.' },
} as const

type Labels = Readonly<Record<string, string>>

/**
 * Metrics in the text format of Prometheus.
 * {@link https://prometheus.io/docs/instrumenting/exposition_formats}
 */
export async function readMetrics(env: Env, config: Config): Promise<string> {
  // So that they contain what this isolate has counted.
  await sendCounts(env, config)
  const [samples, gauges, totals] = await Promise.all([
    readSamples(env, config),
    Promise.all(config.features.map((feature) => readGauges(env, feature))),
    requireStorage(async () => metricsObject(env).read()),
  ])
  return [
    ...Object.entries(READ_METRICS).flatMap(([name, { type, help }]) => [
      ...header(name, type, help),
      ...(samples[name as keyof typeof READ_METRICS] ?? []).map(formatSample(name)),
    ]),
    ...gauges.flat(),
    ...formatCounters(config.features, totals),
    ...formatDurations(totals),
    '',
  ].join('\n')
}

/** The lines of what a feature reads. */
async function readGauges(env: Env, { gauges }: Feature): Promise<string[]> {
  if (!gauges) return []
  const samples = await requireStorage(() => gauges.read(env))
  return Object.entries(gauges.help).flatMap(([name, help]) => [
    ...header(name, 'gauge', help),
    ...(samples[name] ?? []).map(formatSample(name)),
  ])
}

function formatSample(name: string): (sample: Sample) => string {
  return ([labels, value]) => `${formatSeries(name, labels)} ${value}`
}

/**
 * Sign-ins are counted from midnight UTC: Prometheus handles the return to 0 like a process that
 * restarts. A sum over all stored hours would shrink with each expired hour, which Prometheus would
 * take for a restart with that many sign-ins.
 */
async function readSamples(
  env: Env,
  config: Config,
): Promise<Record<keyof typeof READ_METRICS, readonly Sample[]>> {
  const now = nowInSeconds()
  const [counts, size, { keys }, checks] = await Promise.all([
    requireStorage(() => readHourlyCounts(env, { since: now - (now % DAY) })),
    requireStorage(() => readAuditSize(env)),
    listKeys(env),
    checkReadiness(env, config),
  ])
  const hoursOfSeries = Map.groupBy(counts, ({ provider, client, outcome }) =>
    JSON.stringify({ provider, client, outcome }),
  )
  return {
    vestibule_sign_ins_total: Array.from(hoursOfSeries, ([labels, hours]) => [
      JSON.parse(labels),
      hours.reduce((sum, { count }) => sum + count, 0),
    ]),
    vestibule_key_age_seconds: keys.flatMap(({ kid, alg, activeSince, state }) =>
      state === 'active' && activeSince !== undefined
        ? [[{ kid, alg }, now - activeSince] as const]
        : [],
    ),
    vestibule_audit_entries: [[{}, size.entries]],
    vestibule_audit_max_entries: [[{}, MAX_ENTRIES]],
    vestibule_database_bytes: [[{}, size.databaseBytes]],
    vestibule_build_info: [[{ version: VERSION }, 1]],
    vestibule_ready: checks.map(({ name, ready }) => [{ check: name }, Number(ready)]),
    vestibule_warning: checks.map(({ name, ready, problem }) => [
      { check: name },
      Number(ready && problem !== undefined),
    ]),
  }
}

/** Also what has not happened yet, so that Prometheus notices the first time. */
function formatCounters(features: readonly Feature[], totals: Counts): string[] {
  return Object.entries(countersOf(features)).flatMap(([name, { help = '', labels }]) => [
    ...header(name, 'counter', help),
    ...combine(labels).map((combination) => sample(totals, name, combination)),
  ])
}

function formatDurations(totals: Counts): string[] {
  const { name, help, labels, buckets } = DURATION
  return [
    ...header(name, 'histogram', help),
    ...combine(labels).flatMap((combination) => [
      ...[...buckets, '+Inf'].map((le) =>
        sample(totals, `${name}_bucket`, { ...combination, le: String(le) }),
      ),
      sample(totals, `${name}_sum`, combination),
      sample(totals, `${name}_count`, combination),
    ]),
  ]
}

/** Every combination of these values of labels. */
function combine(values: Readonly<Record<string, readonly string[]>>): Labels[] {
  return Object.entries(values).reduce<Labels[]>(
    (combinations, [label, list]) =>
      combinations.flatMap((labels) => list.map((value) => ({ ...labels, [label]: value }))),
    [{}],
  )
}

function header(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function sample(totals: Counts, name: string, labels: Labels): string {
  const series = formatSeries(name, labels)
  // Without the errors of adding fractions.
  return `${series} ${Number((totals[series] ?? 0).toFixed(3))}`
}
