import * as z from 'zod/mini'
import { type AdminScope, isGranted } from '../../../administration/admin-scopes.ts'
import { HttpProblem } from '../../../administration/http-problem.ts'
import { type Implementation, implement } from '../../../administration/operation.ts'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import {
  commonOperations,
  secretOperations,
} from '../../../administration/registration-operations.ts'
import { apiStore } from '../../../administration/registrations/api-store.ts'
import { clientStore } from '../../../administration/registrations/client-store.ts'
import { registrationResource } from '../../../administration/resources.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { isObject } from '../../../foundation/values/json.ts'

/** The operations on clients and APIs. */
export function registrationOperations(schemas: OperationSchemas, features: readonly Feature[]) {
  const { count, optionalText, optionalTime, registration } = schemas
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
    createClient: protectAdministrators(changes.create),
    getClient: get,
    updateClient: protectAdministrators(changes.update),
    deleteClient: protectAdministrators(changes.delete),
    disableClient: protectAdministrators(setDisabled(true)),
    enableClient: protectAdministrators(setDisabled(false)),
    rotateClientSecret: protectAdministrators(secrets.rotateSecret),
    removeFormerClientSecret: protectAdministrators(secrets.removeFormerSecret),
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
