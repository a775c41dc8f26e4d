import type { Counters } from '../../core/metrics/metric-table.ts'

export const METRICS = {
  vestibule_limited_requests_total: { labels: { limit: ['password'] } },
} as const satisfies Counters
