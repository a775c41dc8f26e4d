import * as z from 'zod/mini'
import { notFound } from '../../../administration/http-problem.ts'
import { implement } from '../../../administration/operation.ts'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import { paginate } from '../../../administration/resources.ts'
import { createAdministratorSchema } from '../resources/administrator.ts'
import { listAdministrators } from '../users/administrators.ts'
import { removeAdministrator, setAdministrator } from '../users/manage-administrators.ts'

/** The operations on administrators. */
export function administratorOperations(schemas: OperationSchemas) {
  const { page, list } = schemas
  const administrator = createAdministratorSchema(schemas)
  return {
    listAdministrators: implement({
      query: z.strictObject(page()),
      response: list(administrator),
      handle: async ({ env, config, query }) =>
        paginate(
          await listAdministrators(env, config),
          query,
          ({ source, name }) => `${source} ${name}`,
        ),
    }),
    setAdministrator: implement({
      body: z.strictObject({ role: administrator.shape.role }),
      response: administrator,
      handle: ({ env, config, id, body, origin }) =>
        setAdministrator(env, config, { name: id, ...body, origin }),
    }),
    removeAdministrator: implement({
      async handle({ env, config, id, origin }) {
        if (!(await removeAdministrator(env, config, { name: id, origin }))) throw notFound()
      },
    }),
  }
}
