import * as z from 'zod/mini'
import { listAuditEntries, readHourlyCounts } from '../audit/read-audit.ts'
import { checkReadiness } from '../readiness/check-readiness.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { nowInSeconds } from '../values/clock.ts'
import { readMetrics } from './metrics.ts'
import { type Operation, operation } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import { toSnakeCase } from './resources.ts'

/** What the command line and the console show of the counters by default. */
const DEFAULT_COUNTS_PERIOD = 24 * 3600 // seconds

/** The operations that report what happens: the audit log, counters, metrics and readiness. */
export function reportOperations(schemas: OperationSchemas): Operation[] {
  const { text, optionalText, count, time, optionalTime, page, list, auditEntry } = schemas
  return [
    operation({
      id: 'listAuditEntries',
      method: 'get',
      path: '/audit',
      scope: 'admin:read',
      summary: 'Lists entries of the audit log, the newest first. Times are in seconds since 1970.',
      query: z.strictObject({
        subject: optionalText,
        event: optionalText,
        client: optionalText,
        since: optionalTime,
        until: optionalTime,
        ...page(),
      }),
      response: list(auditEntry),
      async handle({ env, query }) {
        const { entries, nextCursor } = await requireStorage(() => listAuditEntries(env, query))
        return { items: toSnakeCase(entries), next_cursor: nextCursor }
      },
    }),
    operation({
      id: 'getCounts',
      method: 'get',
      path: '/counts',
      scope: 'admin:metrics',
      summary: 'Events per hour, provider, client and outcome; of the last 24 hours by default.',
      query: z.strictObject({ since: optionalTime }),
      response: z.object({
        items: z.array(
          z.object({
            hour: time,
            provider: text,
            client: text,
            outcome: text,
            count,
          }),
        ),
      }),
      handle: async ({ env, query: { since = nowInSeconds() - DEFAULT_COUNTS_PERIOD } }) => ({
        items: await requireStorage(() => readHourlyCounts(env, { since })),
      }),
    }),
    operation({
      id: 'getMetrics',
      method: 'get',
      path: '/metrics',
      scope: 'admin:metrics',
      summary: "Metrics in Prometheus' text format.",
      response: 'text/plain',
      handle: async ({ env, config }) => readMetrics(env, config),
    }),
    operation({
      id: 'getReadiness',
      method: 'get',
      path: '/readiness',
      scope: 'admin:metrics',
      summary: 'The checks of /readyz, each with the problem and the command that fixes it.',
      response: z.object({
        checks: z.array(
          z.object({
            name: text,
            ready: z.boolean(),
            detail: optionalText,
            problem: optionalText,
            fix: optionalText,
          }),
        ),
      }),
      handle: async ({ env, config }) => ({ checks: await checkReadiness(env, config) }),
    }),
  ]
}
