import type { Counters } from '../../core/metrics/metric-table.ts'

export const METRICS = {
  vestibule_session_bindings_total: {
    help: 'Sessions that browsers have bound to a key, proofs that extend them, and what was refused.',
    labels: { outcome: ['registered', 'refreshed', 'refused'] },
  },
} as const satisfies Counters
