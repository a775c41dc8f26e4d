import * as z from 'zod/mini'
import { AUDIT_EVENTS, CHANGES } from '../../../audit/audit-entry.ts'
import { forAuditFilters } from '../../../audit/read-audit.ts'
import { parseNetwork } from '../../../values/ip-network.ts'
import { text } from '../../../values/schemas.ts'

/** The schemas of the parameters that select entries. A misspelt one would find nothing. */
export function auditFilters() {
  return {
    ...forAuditFilters(() => z.optional(z.string())),
    event: z.optional(z.enum([...AUDIT_EVENTS, CHANGES])),
    network: z.optional(
      text([
        (network) => parseNetwork(network) !== undefined,
        'must be an IP address, or a network such as 203.0.113.0/24 or 2001:db8:1::/48.',
      ]),
    ),
  }
}
