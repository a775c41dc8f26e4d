import * as z from 'zod/mini'
import { implement } from '../../administration/operation.ts'
import type { OperationSchemas } from '../../administration/operation-schemas.ts'
import { listUnregisteredClients, setBlocked } from './client-store.ts'
import { createUnregisteredClientSchema } from './resource.ts'

/** The operations on clients that nobody has registered. */
export function unregisteredClientOperations(schemas: OperationSchemas) {
  const { page, list } = schemas
  const client = createUnregisteredClientSchema(schemas)
  const setBlockedTo = (isBlocked: boolean) =>
    implement({
      response: client,
      handle: ({ env, config, id, origin }) => setBlocked(env, config, { id, isBlocked, origin }),
    })
  return {
    listUnregisteredClients: implement({
      query: z.strictObject(page()),
      response: list(client),
      handle: ({ env, query }) => listUnregisteredClients(env, query),
    }),
    blockUnregisteredClient: setBlockedTo(true),
    unblockUnregisteredClient: setBlockedTo(false),
  }
}
