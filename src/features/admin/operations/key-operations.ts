import * as z from 'zod/mini'
import { listKeys, rotateKeys } from '../../../administration/manage-keys.ts'
import { implement } from '../../../administration/operation.ts'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import { toSnakeCase } from '../../../administration/resources.ts'

/** The operations on signing keys. */
export function keyOperations({ text, time, optionalTime }: OperationSchemas) {
  const keys = z.array(
    z.object({
      kid: text,
      alg: text,
      state: z.enum(['next', 'active', 'retired']),
      created_at: optionalTime,
      active_since: optionalTime,
      removed_at: optionalTime,
    }),
  )
  const rotation = (isRevocation: boolean) =>
    implement({
      response: z.object({ keys }),
      handle: async ({ env, config, origin }) =>
        toSnakeCase(await rotateKeys(env, config, { isRevocation, origin })),
    })

  return {
    listKeys: implement({
      response: z.object({ keys, rotates_at: time }),
      handle: async ({ env }) => toSnakeCase(await listKeys(env)),
    }),
    rotateKeys: rotation(false),
    revokeKeys: rotation(true),
  }
}
