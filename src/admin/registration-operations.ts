import * as z from 'zod/mini'
import { type AdminScope, apiSchema, isGranted } from '../config/apis.ts'
import { clientSchema } from '../config/clients.ts'
import { apiStore } from '../registrations/api-store.ts'
import { clientStore } from '../registrations/client-store.ts'
import type { RegistrationStore } from '../registrations/registration-store.ts'
import { isObject } from '../values/json.ts'
import { HttpProblem, requireFound } from './http-problem.ts'
import { type Implementation, implement } from './operation.ts'
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
  const { list, get, ...changes } = commonOperations(schemas, {
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
    listClients: list,
    createClient: protectAdministrators(changes.create),
    getClient: get,
    updateClient: protectAdministrators(changes.update),
    deleteClient: protectAdministrators(changes.delete),
    disableClient: protectAdministrators(setDisabled(true)),
    enableClient: protectAdministrators(setDisabled(false)),
    rotateClientSecret: protectAdministrators(
      implement({
        response: z.object({ client_secret: text }),
        async handle({ env, config, id, origin }) {
          const { secret } = await clientStore.rotateSecret(env, config, { id, origin })
          return { client_secret: secret }
        },
      }),
    ),
    removeFormerClientSecret: protectAdministrators(
      implement({
        response: client,
        handle: async ({ env, config, id, origin }) =>
          registrationResource(await clientStore.removeFormerSecret(env, config, { id, origin })),
      }),
    ),
    listApis: apis.list,
    createApi: apis.create,
    getApi: apis.get,
    updateApi: apis.update,
    deleteApi: apis.delete,
  }
}

/**
 * A client that may change administrators is registered and changed only by those who may do so
 * themselves. Others could let it, or use its secret to, make them owners.
 */
function protectAdministrators(implementation: Implementation): Implementation {
  const scope: AdminScope = 'admin:administrators'
  return {
    ...implementation,
    async handle(request) {
      const { env, config, id, body, scopes } = request
      const present = id ? await clientStore.read(env, config, id) : undefined
      const isConcerned = [present?.registration, body].some(
        (fields) => isObject(fields) && String(fields['scope']).split(' ').includes(scope),
      )
      if (isConcerned && !isGranted(scope, scopes)) {
        throw new HttpProblem(403, `Only those with the scope ${scope} can change such a client.`)
      }
      return implementation.handle(request)
    },
  }
}

interface Kind {
  store: RegistrationStore
  fields: z.ZodMiniType
  resource: z.ZodMiniType
  created: z.ZodMiniType
}

/** The operations that clients, APIs and webhooks have in common. */
export function commonOperations(
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
