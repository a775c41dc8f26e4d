import * as z from 'zod/mini'
import { apiSchema } from '../config/apis.ts'
import { clientSchema } from '../config/clients.ts'
import { apiStore } from '../registrations/api-store.ts'
import { clientStore } from '../registrations/client-store.ts'
import type { RegistrationStore } from '../registrations/registration-store.ts'
import { requireFound } from './http-problem.ts'
import { type Operation, operation } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import { paginate, registrationResource } from './resources.ts'

/** The operations on clients and APIs. */
export function registrationOperations(schemas: OperationSchemas): Operation[] {
  const { text, count, optionalText, optionalTime, registration } = schemas
  const { client_secrets_sha256: _, ...clientFields } = clientSchema.shape
  const client = z.object({
    ...clientFields,
    ...registration,
    secret_count: count,
    disabled_at: optionalTime,
  })
  const api = z.object({ ...apiSchema.shape, ...registration })

  return [
    ...commonOperations(schemas, {
      store: clientStore,
      name: 'Client',
      fields: z.strictObject(clientFields),
      resource: client,
      created: z.object({ client, client_secret: optionalText }),
    }),
    ...(['disable', 'enable'] as const).map((action) =>
      operation({
        id: `${action}Client`,
        method: 'post',
        path: `/clients/:id/${action}`,
        scope: 'admin:write',
        summary:
          action === 'disable'
            ? 'Rejects all requests and tokens of a client until it is enabled again.'
            : 'Lets a disabled client be used again.',
        response: client,
        handle: async ({ env, config, id, origin }) => {
          const change = { id, isDisabled: action === 'disable', origin }
          return registrationResource(await clientStore.setDisabled(env, config, change))
        },
      }),
    ),
    operation({
      id: 'rotateClientSecret',
      method: 'post',
      path: '/clients/:id/rotate-secret',
      scope: 'admin:write',
      summary: 'Creates a new secret. The former one stays valid next to it.',
      response: z.object({ client_secret: text }),
      async handle({ env, config, id, origin }) {
        const { secret } = await clientStore.rotateSecret(env, config, { id, origin })
        return { client_secret: secret }
      },
    }),
    operation({
      id: 'removeFormerClientSecret',
      method: 'post',
      path: '/clients/:id/remove-former-secret',
      scope: 'admin:write',
      summary: 'Removes all secrets of a client but the newest.',
      response: client,
      handle: async ({ env, config, id, origin }) =>
        registrationResource(await clientStore.removeFormerSecret(env, config, { id, origin })),
    }),
    ...commonOperations(schemas, {
      store: apiStore,
      name: 'Api',
      fields: apiSchema,
      resource: api,
      created: z.object({ api }),
    }),
  ]
}

interface Kind {
  store: RegistrationStore
  /** In the ids of the operations. */
  name: 'Client' | 'Api'
  fields: z.ZodMiniType
  resource: z.ZodMiniType
  created: z.ZodMiniType
}

function commonOperations(
  { page, fields: anyFields, list }: OperationSchemas,
  { store, name, fields, resource, created }: Kind,
): Operation[] {
  const path = `/${store.table.name}`
  const nouns = `${store.noun}s`
  const noun = store.noun === 'API' ? 'an API' : 'a client'
  return [
    operation({
      id: `list${name}s`,
      method: 'get',
      path,
      scope: 'admin:read',
      summary: `Lists the ${nouns}: those of the settings first, then the others by id.`,
      query: z.strictObject(page()),
      response: list(resource),
      async handle({ env, config, query }) {
        const { items, ...rest } = paginate(await store.list(env, config), query)
        return { items: items.map(registrationResource), ...rest }
      },
    }),
    operation({
      id: `create${name}`,
      method: 'post',
      path,
      scope: 'admin:write',
      summary: `Registers ${noun}.${name === 'Client' ? ' Its secret, if it needs one, is in this response only.' : ''}`,
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
    operation({
      id: `get${name}`,
      method: 'get',
      path: `${path}/:id`,
      scope: 'admin:read',
      summary: `Reads ${noun}. The id is its ${store.table.idField}, URL-encoded.`,
      response: resource,
      handle: async ({ env, config, id }) =>
        registrationResource(requireFound(await store.read(env, config, id))),
    }),
    operation({
      id: `update${name}`,
      method: 'patch',
      path: `${path}/:id`,
      scope: 'admin:write',
      summary: `Changes fields of ${noun}; null removes a field (RFC 7396).`,
      body: anyFields,
      response: resource,
      handle: async ({ env, config, id, body, origin }) =>
        registrationResource(await store.update(env, config, { id, changes: body, origin })),
    }),
    operation({
      id: `delete${name}`,
      method: 'delete',
      path: `${path}/:id`,
      scope: 'admin:write',
      summary: `Deletes ${noun}.`,
      handle: async ({ env, config, id, origin }) => store.delete(env, config, { id, origin }),
    }),
  ]
}
