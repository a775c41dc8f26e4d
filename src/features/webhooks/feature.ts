import { registrationSection } from '../../administration/console/registration-section.tsx'
import type { OperationGroup } from '../../administration/operation-group.ts'
import type { Config } from '../../core/config/config.ts'
import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import type { Finding } from '../../core/readiness/requirement.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import { WEBHOOK_PAGES } from './console-section.tsx'
import { deliverEvents } from './deliver-events.ts'
import { isDeliveryIdle, listWebhookRows, parseWebhook } from './deliveries.ts'
import { GAUGES, METRICS } from './metrics.ts'
import { OPERATIONS } from './operation-table.ts'
import { webhookOperations } from './operations.ts'
import { openSecrets, SEAL } from './webhook-store.ts'

/** The schedule runs every minute. */
const MAX_SCHEDULE_DELAY = 900 // seconds

/** Sends events to the operator's own services. */
export function webhooks(): ListedFeature {
  const feature: Feature = {
    id: 'webhooks',
    seals: [SEAL],
    audit: AUDIT_EVENTS,
    log: ['webhook_delayed', 'webhook_given_up', 'webhook_failed'],
    metrics: METRICS,
    gauges: GAUGES,
    schedule: { webhooks: deliverEvents },
    readiness: (env, config) => [
      // A database that does not respond is reported by its own check.
      { name: 'schedule', use: () => checkSchedule(env, config).catch(() => ({})) },
      { name: 'webhooks', use: () => checkSecrets(env, config).catch(() => ({})) },
    ],
    operations: {
      table: OPERATIONS,
      createImplementations: webhookOperations,
      sections: [registrationSection(WEBHOOK_PAGES)],
    } satisfies OperationGroup<keyof typeof OPERATIONS>,
  }
  return feature
}

/** A webhook gets no events if none of its secrets can be opened. */
async function checkSecrets(env: Env, { seal }: Config): Promise<Finding> {
  const webhooks = (await listWebhookRows(env)).flatMap((row) => parseWebhook(row) ?? [])
  const opened = await Promise.all(webhooks.map((webhook) => openSecrets(seal, webhook)))
  const { length } = opened.filter(({ secrets }) => secrets.length === 0)
  if (length === 0) return {}
  return {
    problem: `${length} of ${webhooks.length} webhooks get no events: AUTH_SECRET was replaced, and does not open their secrets.`,
    fix: 'Set AUTH_SECRET_LEAKED to the former value, which then only opens what is in storage. Or run `npx vestibule-auth webhooks rotate-secret` for each webhook, and enter the new secrets at the receivers. Nothing is lost meanwhile.',
    isWarning: true,
  }
}

/** Cron Triggers do not run on a developer's machine. */
async function checkSchedule(env: Env, { isDevelopment }: Config): Promise<Finding> {
  if (isDevelopment) {
    return { detail: 'no Cron Trigger runs in development: npx vestibule-auth schedule' }
  }
  if (await isDeliveryIdle(env, MAX_SCHEDULE_DELAY)) {
    return {
      problem: 'Events are not sent to webhooks: no Cron Trigger runs.',
      fix: 'Add [triggers] with crons = ["* * * * *"] to wrangler.toml, and deploy.',
    }
  }
  return {}
}
