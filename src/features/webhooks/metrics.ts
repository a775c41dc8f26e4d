import type { Counters, Gauges } from '../../core/metrics/metric-table.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { readDeliveryStates } from './deliveries.ts'

export const METRICS = {
  vestibule_webhooks_total: {
    help: 'Attempts to deliver a webhook: acknowledged, repeated later, or given up.',
    labels: { outcome: ['delivered', 'delayed', 'given_up'] },
  },
} as const satisfies Counters

/** Webhooks are added by administrators only, so that nobody else can add series. */
export const GAUGES = {
  help: {
    vestibule_webhook_waiting_events:
      'Events that a webhook did not accept, and that wait for another attempt.',
    vestibule_webhook_delay_seconds:
      'How long the oldest event that was never sent to a webhook has waited.',
  },
  async read(env) {
    const states = await readDeliveryStates(env)
    const now = nowInSeconds()
    return {
      vestibule_webhook_waiting_events: states.map(({ id, waiting }) => [{ webhook: id }, waiting]),
      vestibule_webhook_delay_seconds: states.map(({ id, unsent_since }) => [
        { webhook: id },
        unsent_since === null ? 0 : now - unsent_since,
      ]),
    }
  },
} as const satisfies Gauges
