import * as z from 'zod/mini'
import { implement } from '../../operations/operation.ts'
import type { OperationSchemas } from '../../operations/operation-schemas.ts'
import { toSnakeCase } from '../../operations/resources.ts'
import { listUnregisteredClients, setBlocked } from './client-store.ts'

/** The operations on clients that nobody has registered. */
export function unregisteredClientOperations(schemas: OperationSchemas) {
  const { text, texts, count, optionalText, time, optionalTime, page, list } = schemas
  const client = z.object({
    id: text,
    hosts: texts,
    name: optionalText,
    approvals: count,
    created_at: time,
    approved_at: optionalTime,
    blocked_at: optionalTime,
  })
  const setBlockedTo = (isBlocked: boolean) =>
    implement({
      response: client,
      handle: async ({ env, config, id, origin }) =>
        toSnakeCase(await setBlocked(env, config, { id, isBlocked, origin })),
    })
  return {
    listUnregisteredClients: implement({
      query: z.strictObject(page()),
      response: list(client),
      async handle({ env, query }) {
        const { clients, nextCursor } = await listUnregisteredClients(env, query)
        return { items: toSnakeCase(clients), next_cursor: nextCursor }
      },
    }),
    blockUnregisteredClient: setBlockedTo(true),
    unblockUnregisteredClient: setBlockedTo(false),
  }
}
