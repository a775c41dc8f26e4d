import * as z from 'zod/mini'
import { apiSchema } from '../config/apis.ts'
import { clientSchema } from '../config/clients.ts'
import { apiStore } from '../registrations/api-store.ts'
import { clientStore } from '../registrations/client-store.ts'
import type { RegistrationStore } from '../registrations/registration-store.ts'
import { requireFound } from './http-problem.ts'
import { implement } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import { paginate, registrationResource } from './resources.ts'

/** The operations on clients and APIs. */
export function registrationOperations(schemas: OperationSchemas) {
  const { text, count, optionalText, optionalTime, registration } = schemas
  const { client_secrets_sha256: _, ...clientFields } = clientSchema.shape
  const client = z.object({
    ...clientFields,
    ...registration,
    secret_count: count,
    disabled_at: optionalTime,
  })
  const api = z.object({ ...apiSchema.shape, ...registration })

  const setDisabled = (isDisabled: boolean) =>
    implement({
      response: client,
      handle: async ({ env, config, id, origin }) =>
        registrationResource(
          await clientStore.setDisabled(env, config, { id, isDisabled, origin }),
        ),
    })
  const clients = commonOperations(schemas, {
    store: clientStore,
    fields: z.strictObject(clientFields),
    resource: client,
    created: z.object({ client, client_secret: optionalText }),
  })
  const apis = commonOperations(schemas, {
    store: apiStore,
    fields: apiSchema,
    resource: api,
    created: z.object({ api }),
  })

  return {
    listClients: clients.list,
    createClient: clients.create,
    getClient: clients.get,
    updateClient: clients.update,
    deleteClient: clients.delete,
    disableClient: setDisabled(true),
    enableClient: setDisabled(false),
    rotateClientSecret: implement({
      response: z.object({ client_secret: text }),
      async handle({ env, config, id, origin }) {
        const { secret } = await clientStore.rotateSecret(env, config, { id, origin })
        return { client_secret: secret }
      },
    }),
    removeFormerClientSecret: implement({
      response: client,
      handle: async ({ env, config, id, origin }) =>
        registrationResource(await clientStore.removeFormerSecret(env, config, { id, origin })),
    }),
    listApis: apis.list,
    createApi: apis.create,
    getApi: apis.get,
    updateApi: apis.update,
    deleteApi: apis.delete,
  }
}

interface Kind {
  store: RegistrationStore
  fields: z.ZodMiniType
  resource: z.ZodMiniType
  created: z.ZodMiniType
}

function commonOperations(
  { page, fields: anyFields, list }: OperationSchemas,
  { store, fields, resource, created }: Kind,
) {
  return {
    list: implement({
      query: z.strictObject(page()),
      response: list(resource),
      async handle({ env, config, query }) {
        const { items, ...rest } = paginate(await store.list(env, config), query)
        return { items: items.map(registrationResource), ...rest }
      },
    }),
    create: implement({
      body: anyFields,
      bodyDescription: fields,
      status: 201,
      response: created,
      async handle({ env, config, body, origin }) {
        const { record, secret } = await store.create(env, config, { registration: body, origin })
        const key = store.noun.toLowerCase()
        return { [key]: registrationResource(record), [`${key}_secret`]: secret }
      },
    }),
    get: implement({
      response: resource,
      handle: async ({ env, config, id }) =>
        registrationResource(requireFound(await store.read(env, config, id))),
    }),
    update: implement({
      body: anyFields,
      response: resource,
      handle: async ({ env, config, id, body, origin }) =>
        registrationResource(await store.update(env, config, { id, changes: body, origin })),
    }),
    delete: implement({
      handle: async ({ env, config, id, origin }) => store.delete(env, config, { id, origin }),
    }),
  }
}
