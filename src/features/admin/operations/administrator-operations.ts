import * as z from 'zod/mini'
import { notFound } from '../../../operations/http-problem.ts'
import { implement } from '../../../operations/operation.ts'
import type { OperationSchemas } from '../../../operations/operation-schemas.ts'
import { paginate, toSnakeCase } from '../../../operations/resources.ts'
import { ADMIN_ROLES } from '../roles.ts'
import { listAdministrators } from '../users/administrators.ts'
import { removeAdministrator, setAdministrator } from '../users/manage-administrators.ts'

/** The operations on administrators. */
export function administratorOperations(schemas: OperationSchemas) {
  const { text, optionalText, optionalTime, page, list } = schemas
  const role = z.enum(ADMIN_ROLES)
  const administrator = z.object({
    name: text,
    role,
    source: z.enum(['settings', 'database']),
    user_id: optionalText,
    user_name: optionalText,
    blocked_at: optionalTime,
    created_at: optionalTime,
    created_by: optionalText,
  })
  return {
    listAdministrators: implement({
      query: z.strictObject(page()),
      response: list(administrator),
      async handle({ env, config, query }) {
        const administrators = await listAdministrators(env, config)
        const named = administrators.map((entry) => ({
          ...entry,
          id: `${entry.source} ${entry.name}`,
        }))
        const { items, ...rest } = paginate(named, query)
        return { items: items.map(({ id: _, ...entry }) => toSnakeCase(entry)), ...rest }
      },
    }),
    setAdministrator: implement({
      body: z.strictObject({ role }),
      response: administrator,
      handle: async ({ env, config, id, body, origin }) =>
        toSnakeCase(await setAdministrator(env, config, { name: id, ...body, origin })),
    }),
    removeAdministrator: implement({
      async handle({ env, config, id, origin }) {
        if (!(await removeAdministrator(env, config, { name: id, origin }))) throw notFound()
      },
    }),
  }
}
