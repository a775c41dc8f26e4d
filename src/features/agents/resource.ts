import * as z from 'zod/mini'
import type { OperationSchemas } from '../../administration/operation-schemas.ts'
import type { ShownFields } from '../../administration/shown-fields.ts'

/** An unregistered client that users have allowed, or a client or host that is blocked. */
export type UnregisteredClient = z.output<ReturnType<typeof createUnregisteredClientSchema>>

/** What the API returns about an unregistered client. */
export function createUnregisteredClientSchema(schemas: OperationSchemas) {
  const { text, texts, count, optionalText, time, optionalTime } = schemas
  return z.object({
    /** A `client_id`, or a host. */
    id: text,
    hosts: texts,
    /** That the client has given itself. */
    name: optionalText,
    /** How often users have allowed it. */
    approvals: count,
    created_at: time,
    approved_at: optionalTime,
    blocked_at: optionalTime,
  })
}

/** The columns of a list, besides the id. */
export const UNREGISTERED_CLIENT_FIELDS = {
  Name: ({ name }) => ({ name }),
  State: ({ blocked_at: since }) =>
    since === undefined ? { good: 'accepted' } : { problem: 'blocked', since },
  Allowed: ({ approvals }) => (approvals > 0 ? `${approvals}×` : undefined),
  First: ({ created_at }) => ({ time: created_at }),
  Last: ({ approved_at }) => ({ time: approved_at }),
} satisfies ShownFields<UnregisteredClient>
