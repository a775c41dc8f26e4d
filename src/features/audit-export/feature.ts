import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { exportAudit, isExportLate } from './export-audit.ts'

/** How late an hour may be copied. The schedule runs every minute. */
const MAX_DELAY = 900 // seconds

/** Copies the audit log to an R2 bucket, one object per hour. */
export function auditExport(): ListedFeature {
  const feature: Feature = {
    id: 'audit-export',
    bindings: [{ name: 'AUDIT', method: 'put', toml: '[[r2_buckets]]\nbinding = "AUDIT"' }],
    schedule: { 'audit export': exportAudit },
    readiness: (env, { isDevelopment }) => [
      {
        name: 'audit export',
        use: async () => {
          // Cron Triggers do not run on a developer's machine.
          if (isDevelopment) return {}
          // A database that does not respond is reported by its own check.
          const isLate = await isExportLate(env, MAX_DELAY).catch(() => false)
          return isLate ? LATE : {}
        },
      },
    ],
  }
  return feature
}

const LATE = {
  problem: 'The audit log is not copied to the bucket.',
  fix: 'Check crons under [triggers] in wrangler.toml, and the log for schedule_failed.',
}
