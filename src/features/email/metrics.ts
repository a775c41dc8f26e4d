import type { Counters } from '../../core/metrics/metric-table.ts'

export const METRICS = {
  vestibule_emails_total: {
    help: 'Emails that the email service accepted (sent), rejected for their recipient, or failed to accept.',
    labels: { outcome: ['sent', 'rejected', 'failed'] },
  },
  vestibule_limited_requests_total: { labels: { limit: ['email', 'code'] } },
} as const satisfies Counters
