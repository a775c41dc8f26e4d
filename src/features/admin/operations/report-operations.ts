import * as z from 'zod/mini'
import { HttpProblem, requireFound } from '../../../administration/http-problem.ts'
import { implement } from '../../../administration/operation.ts'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import { listAuditEntries, readHourlyCounts } from '../../../administration/read-audit.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { checkReadiness } from '../../../core/readiness/check-readiness.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import { VERSION } from '../../../foundation/values/version.ts'
import { describeEntries } from '../describe-entries.ts'
import { readMetrics } from '../metrics/metrics.ts'
import { testProvider } from '../test-provider.ts'
import { auditFilters, toAuditQuery } from './audit-filters.ts'

/** What the command line and the console show of the counters by default. */
const DEFAULT_COUNTS_PERIOD = 24 * 3600 // seconds

/**
 * The operations that report what happens: the audit log, counters, metrics, readiness, and whether
 * providers respond.
 */
export function reportOperations(schemas: OperationSchemas, features: readonly Feature[]) {
  const { text, optionalText, count, time, optionalTime, page, list, auditEntry } = schemas
  return {
    listAuditEntries: implement({
      query: z.strictObject({
        ...auditFilters(features),
        since: optionalTime,
        until: optionalTime,
        ...page(),
      }),
      response: list(
        z.extend(auditEntry, {
          /** In English, with the names that users, clients and providers have now. */
          sentence: text,
          /** Why it failed, in a few words, if the outcome is not ok. */
          reason: optionalText,
          /** Whether it may be an attack, or a step of one. */
          is_warning: z.optional(z.boolean()),
        }),
      ),
      async handle({ env, config, query }) {
        const { entries, nextCursor } = await requireStorage(() =>
          listAuditEntries(env, toAuditQuery(features, query)),
        )
        return { items: await describeEntries(env, config, entries), next_cursor: nextCursor }
      },
    }),
    getCounts: implement({
      query: z.strictObject({ since: optionalTime }),
      response: z.object({
        items: z.array(
          z.object({
            hour: time,
            provider: text,
            client: text,
            outcome: text,
            count,
            new_users: count,
          }),
        ),
      }),
      handle: async ({ env, query: { since = nowInSeconds() - DEFAULT_COUNTS_PERIOD } }) => ({
        items: await requireStorage(() => readHourlyCounts(env, { since })),
      }),
    }),
    getMetrics: implement({
      response: 'text/plain',
      handle: async ({ env, config }) => readMetrics(env, config),
    }),
    testProvider: implement({
      async handle({ config, id }) {
        const problems = requireFound(await testProvider(config, id))
        if (problems.length > 0) throw new HttpProblem(409, problems.join(' '))
      },
    }),
    getReadiness: implement({
      response: z.object({
        version: text,
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
      handle: async ({ env, config }) => ({
        version: VERSION,
        checks: await checkReadiness(env, config),
      }),
    }),
  }
}
