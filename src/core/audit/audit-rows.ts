import type { RecordedEntry } from './audit-entry.ts'

/** A row of the table `audit`. */
export interface AuditRow {
  id: string
  at: number
  event: string
  outcome: string
  actor: string
  subject: string | null
  client: string | null
  provider: string | null
  network: string | null
  request_id: string | null
  detail: string | null
}

/** The entry in a row of the table. */
export function toEntry(row: AuditRow): RecordedEntry {
  const { id, at, event, outcome, actor, subject, client, provider, network, detail } = row
  return {
    id,
    at,
    event,
    outcome,
    actor,
    ...(subject !== null && { subject }),
    ...(client !== null && { client }),
    ...(provider !== null && { provider }),
    ...(network !== null && { network }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(detail !== null && { detail }),
  }
}
