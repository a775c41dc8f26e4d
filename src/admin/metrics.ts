import { MAX_ENTRIES } from '../audit/audit-log.ts'
import { readAuditSize, readHourlyCounts } from '../audit/read-audit.ts'
import type { Config } from '../config/config.ts'
import { checkReadiness } from '../readiness/check-readiness.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { listKeys } from '../tokens/manage-keys.ts'
import { nowInSeconds } from '../values/clock.ts'

const DAY = 24 * 3600 // seconds

/**
 * Metrics in the text format of Prometheus. Sign-ins are counted from midnight UTC: Prometheus
 * handles the return to 0 like a process that restarts. A sum over all stored hours would shrink
 * with each expired hour, which Prometheus would take for a restart with that many sign-ins.
 * {@link https://prometheus.io/docs/instrumenting/exposition_formats}
 */
export async function readMetrics(env: Env, config: Config): Promise<string> {
  const now = nowInSeconds()
  const [counts, size, { keys }, checks] = await Promise.all([
    requireStorage(() => readHourlyCounts(env, { since: now - (now % DAY) })),
    requireStorage(() => readAuditSize(env)),
    listKeys(env),
    checkReadiness(env, config),
  ])
  const signIns = new Map<string, number>()
  for (const { provider, client, outcome, count } of counts) {
    const labels = formatLabels({ provider, client, outcome })
    signIns.set(labels, (signIns.get(labels) ?? 0) + count)
  }
  return [
    ...metric('vestibule_sign_ins_total', 'counter', 'Sign-ins since midnight UTC.', [...signIns]),
    ...metric(
      'vestibule_key_age_seconds',
      'gauge',
      'Since when the active signing keys have been in use.',
      keys.flatMap(({ kid, alg, activeSince, state }) =>
        state === 'active' && activeSince !== undefined
          ? [[formatLabels({ kid, alg }), now - activeSince]]
          : [],
      ),
    ),
    ...metric(
      'vestibule_audit_entries',
      'gauge',
      'Entries of the audit log at the last full hour.',
      [['', size.entries]],
    ),
    ...metric(
      'vestibule_audit_max_entries',
      'gauge',
      'With more entries, the oldest ones are deleted before they expire.',
      [['', MAX_ENTRIES]],
    ),
    ...metric('vestibule_database_bytes', 'gauge', 'The size of the database.', [
      ['', size.databaseBytes],
    ]),
    ...metric(
      'vestibule_ready',
      'gauge',
      '1 if a check of /readyz succeeds, otherwise 0.',
      checks.map(({ name, ready }) => [formatLabels({ check: name }), Number(ready)]),
    ),
    '',
  ].join('\n')
}

function metric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly [labels: string, value: number][],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}{${labels}} ${value}`),
  ]
}

function formatLabels(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
