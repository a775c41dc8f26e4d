import * as z from 'zod/mini'
import { AUDIT_FILTERS, type AuditFilter } from '../../../administration/read-audit.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { parseNetwork } from '../../../foundation/values/ip-network.ts'
import { text } from '../../../foundation/values/schemas.ts'
import { auditSentences, CHANGES, changeEvents } from '../audit-sentences.ts'

/** The schemas of the parameters that select entries. A misspelt one would find nothing. */
export function auditFilters(features: readonly Feature[]) {
  return {
    ...forAuditFilters(() => z.optional(z.string())),
    event: z.optional(z.enum([...Object.keys(auditSentences(features)), CHANGES])),
    network: z.optional(
      text([
        (network) => parseNetwork(network) !== undefined,
        'must be an IP address, or a network such as 203.0.113.0/24 or 2001:db8:1::/48.',
      ]),
    ),
  }
}

/** The same parameters as the audit log is read with. */
export function toAuditQuery<Query extends { event?: string | undefined }>(
  features: readonly Feature[],
  query: Query,
) {
  if (query.event !== CHANGES) return query
  return { ...query, event: undefined, changes: changeEvents(features) }
}

/** One value for each column by which entries are selected. */
export function forAuditFilters<Value>(
  value: (name: AuditFilter) => Value,
): Record<AuditFilter, Value> {
  const entries = AUDIT_FILTERS.map((name) => [name, value(name)] as const)
  return Object.fromEntries(entries) as Record<AuditFilter, Value>
}
