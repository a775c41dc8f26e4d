import * as z from 'zod/mini'
import { apiSchema } from '../config/apis.ts'
import {
  createApi,
  deleteApi,
  listApis,
  readApi,
  removeFormerApiSecret,
  rotateApiSecret,
  updateApi,
} from '../registrations/manage-apis.ts'
import { requireFound } from './http-problem.ts'
import { type Operation, operation } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import { apiResource, paginate, toSnakeCase } from './resources.ts'

/** The operations on APIs. */
export function apiOperations(schemas: OperationSchemas): Operation[] {
  const { text, optionalText, pageQuery, fields, list, registration } = schemas
  const { secrets_sha256: _, ...apiFields } = apiSchema.shape
  const api = z.object({ ...apiFields, ...registration })

  return [
    operation({
      id: 'listApis',
      method: 'get',
      path: '/apis',
      scope: 'admin:read',
      summary: 'Lists the APIs: those of the settings first, then the others by identifier.',
      query: pageQuery,
      response: list(api),
      handle: async ({ env, config, query }) =>
        paginate(
          (await listApis(env, config)).map(apiResource),
          ({ identifier }) => identifier,
          query,
        ),
    }),
    operation({
      id: 'createApi',
      method: 'post',
      path: '/apis',
      scope: 'admin:write',
      summary: 'Registers an API. Its secret, if it gets one, is in this response only.',
      body: fields,
      bodyDescription: z.strictObject(apiFields),
      status: 201,
      response: z.object({ api, api_secret: optionalText }),
      async handle({ env, config, body, origin }) {
        const created = await createApi(env, config, { registration: body, origin })
        return { api: apiResource(created.api), api_secret: created.apiSecret }
      },
    }),
    operation({
      id: 'getApi',
      method: 'get',
      path: '/apis/:id',
      scope: 'admin:read',
      summary: 'Reads an API. The id is its identifier, URL-encoded.',
      response: api,
      handle: async ({ env, config, id }) =>
        apiResource(requireFound(await readApi(env, config, id))),
    }),
    operation({
      id: 'updateApi',
      method: 'patch',
      path: '/apis/:id',
      scope: 'admin:write',
      summary: 'Changes fields of an API; null removes a field (RFC 7396).',
      body: fields,
      response: api,
      handle: async ({ env, config, id, body, origin }) =>
        apiResource(await updateApi(env, config, { identifier: id, changes: body, origin })),
    }),
    operation({
      id: 'deleteApi',
      method: 'delete',
      path: '/apis/:id',
      scope: 'admin:write',
      summary: 'Deletes an API.',
      handle: async ({ env, config, id, origin }) =>
        deleteApi(env, config, { identifier: id, origin }),
    }),
    operation({
      id: 'rotateApiSecret',
      method: 'post',
      path: '/apis/:id/rotate-secret',
      scope: 'admin:write',
      summary: 'Creates a new secret for introspection. The former one stays valid next to it.',
      response: z.object({ api_secret: text }),
      handle: async ({ env, config, id, origin }) =>
        toSnakeCase(await rotateApiSecret(env, config, { identifier: id, origin })),
    }),
    operation({
      id: 'removeFormerApiSecret',
      method: 'post',
      path: '/apis/:id/remove-former-secret',
      scope: 'admin:write',
      summary: 'Removes all secrets of an API but the newest.',
      response: api,
      handle: async ({ env, config, id, origin }) =>
        apiResource(await removeFormerApiSecret(env, config, { identifier: id, origin })),
    }),
  ]
}
