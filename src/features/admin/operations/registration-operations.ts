import * as z from 'zod/mini'
import { type AdminScope, isGranted } from '../../../administration/admin-scopes.ts'
import { HttpProblem, requireFound } from '../../../administration/http-problem.ts'
import { type Implementation, implement } from '../../../administration/operation.ts'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import {
  commonOperations,
  secretOperations,
} from '../../../administration/registration-operations.ts'
import { apiStore } from '../../../administration/registrations/api-store.ts'
import { clientStore } from '../../../administration/registrations/client-store.ts'
import { registrationResource, toSnakeCase } from '../../../administration/resources.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { isObject } from '../../../foundation/values/json.ts'
import { readClientSecrets, recordSecretChange } from '../metrics/client-secrets.ts'

/** The operations on clients and APIs. */
export function registrationOperations(schemas: OperationSchemas, features: readonly Feature[]) {
  const { text, count, optionalText, optionalTime, registration } = schemas
  const { client_secrets_sha256: _, ...clientFields } = clientStore.schemaOf(features).shape
  const apiFields = apiStore.schemaOf(features).shape
  // Without its type, because what is invalid is returned as it is stored.
  const client: z.ZodMiniType = z.object({
    ...clientFields,
    ...registration,
    secret_count: count,
    disabled_at: optionalTime,
  })
  const api = z.object({ ...apiFields, ...registration })

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
  const secrets = secretOperations(schemas, { store: clientStore, resource: client })
  const apis = commonOperations(schemas, {
    store: apiStore,
    fields: z.strictObject(apiFields),
    resource: api,
    created: z.object({ api }),
  })

  return {
    listClients: list,
    createClient: protectAdministrators(recordingSecrets(changes.create)),
    getClient: get,
    updateClient: protectAdministrators(changes.update),
    deleteClient: protectAdministrators(recordingSecrets(changes.delete)),
    disableClient: protectAdministrators(setDisabled(true)),
    enableClient: protectAdministrators(setDisabled(false)),
    rotateClientSecret: protectAdministrators(recordingSecrets(secrets.rotateSecret)),
    removeFormerClientSecret: protectAdministrators(recordingSecrets(secrets.removeFormerSecret)),
    listClientSecrets: implement({
      response: z.object({
        items: z.array(
          z.object({ id: text, created_at: optionalTime, last_used_on: optionalText }),
        ),
      }),
      async handle({ env, config, id }) {
        requireFound(await clientStore.read(env, config, id))
        return { items: toSnakeCase(await readClientSecrets(env, config, id)) }
      },
    }),
    removeClientSecret: protectAdministrators(
      recordingSecrets(
        implement({
          response: client,
          handle: async ({ env, config, id, secret, origin }) =>
            registrationResource(
              await clientStore.removeSecret(env, config, { id, secret, origin }),
            ),
        }),
      ),
    ),
    listApis: apis.list,
    createApi: apis.create,
    getApi: apis.get,
    updateApi: apis.update,
    deleteApi: apis.delete,
  }
}

/** Records when a secret was created, which the response shows, and forgets what is not valid any more. */
function recordingSecrets(implementation: Implementation): Implementation {
  return {
    ...implementation,
    async handle(request) {
      const result = await implementation.handle(request)
      const { env, config, id, body } = request
      const clientId = id || (isObject(body) ? String(body['client_id']) : '')
      const isCreated = isObject(result) && typeof result['client_secret'] === 'string'
      await recordSecretChange(env, config, { clientId, isCreated })
      return result
    },
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
