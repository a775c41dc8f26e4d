import type { Counters } from '../../core/metrics/metric-table.ts'

export const METRICS = {
  vestibule_webhooks_total: {
    help: 'Attempts to deliver a webhook: acknowledged, repeated later, or given up.',
    labels: { outcome: ['delivered', 'delayed', 'given_up'] },
  },
} as const satisfies Counters
