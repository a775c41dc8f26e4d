import type { Counters } from '../../core/metrics/metric-table.ts'

export const METRICS = {
  vestibule_limited_requests_total: { labels: { limit: ['user_code'] } },
} as const satisfies Counters
