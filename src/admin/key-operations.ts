import * as z from 'zod/mini'
import { listKeys, rotateKeys } from '../tokens/manage-keys.ts'
import { type Operation, operation } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import { toSnakeCase } from './resources.ts'

/** The operations on signing keys. */
export function keyOperations({ text, time, optionalTime }: OperationSchemas): Operation[] {
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

  return [
    operation({
      id: 'listKeys',
      method: 'get',
      path: '/keys',
      scope: 'admin:read',
      summary: 'Lists the signing keys, without their private parts.',
      response: z.object({ keys, rotates_at: time }),
      handle: async ({ env }) => toSnakeCase(await listKeys(env)),
    }),
    operation({
      id: 'rotateKeys',
      method: 'post',
      path: '/keys/rotate',
      scope: 'admin:write',
      summary:
        'Activates the next signing keys. With revoke, all former keys are removed, and tokens signed with them are rejected by all servers of this service within a minute.',
      body: z.optional(z.strictObject({ revoke: z.optional(z.boolean()) })),
      response: z.object({ keys }),
      handle: async ({ env, config, body, origin }) =>
        toSnakeCase(await rotateKeys(env, config, { isRevocation: body?.revoke === true, origin })),
    }),
  ]
}
