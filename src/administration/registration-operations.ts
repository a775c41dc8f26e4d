import * as z from 'zod/mini'
import { requireFound } from './http-problem.ts'
import { implement } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import type { RegistrationStore } from './registrations/registration-store.ts'
import type { SecretStore } from './registrations/secret-store.ts'
import { paginate, registrationResource } from './resources.ts'

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
        const { items, ...rest } = paginate(await store.list(env, config), query, ({ id }) => id)
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

/** The operations on the secrets of clients and webhooks. */
export function secretOperations(
  { text, count }: OperationSchemas,
  { store, resource }: { store: SecretStore; resource: z.ZodMiniType },
) {
  const name = `${store.noun}_secret`
  return {
    rotateSecret: implement({
      response: z.object({ [name]: text, secret_count: count }),
      async handle({ env, config, id, origin }) {
        const { secret, record } = await store.rotateSecret(env, config, { id, origin })
        return { [name]: secret, secret_count: record.secretCount ?? 0 }
      },
    }),
    removeFormerSecret: implement({
      response: resource,
      handle: async ({ env, config, id, origin }) =>
        registrationResource(await store.removeFormerSecret(env, config, { id, origin })),
    }),
  }
}
