import * as z from 'zod/mini'
import { clientSchema } from '../config/clients.ts'
import {
  createClient,
  deleteClient,
  listClients,
  readClient,
  removeFormerClientSecret,
  rotateClientSecret,
  setClientDisabled,
  updateClient,
} from '../registrations/manage-clients.ts'
import { requireFound } from './http-problem.ts'
import { type Operation, operation } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import { clientResource, paginate, toSnakeCase } from './resources.ts'

/** The operations on clients. */
export function clientOperations(schemas: OperationSchemas): Operation[] {
  const { text, optionalText, optionalTime, pageQuery, fields, list, registration } = schemas
  const { client_secrets_sha256: _, ...clientFields } = clientSchema.shape
  const client = z.object({ ...clientFields, ...registration, disabled_at: optionalTime })

  return [
    operation({
      id: 'listClients',
      method: 'get',
      path: '/clients',
      scope: 'admin:read',
      summary: 'Lists the clients: those of the settings first, then the others by id.',
      query: pageQuery,
      response: list(client),
      handle: async ({ env, config, query }) =>
        paginate(
          (await listClients(env, config)).map(clientResource),
          ({ client_id }) => client_id,
          query,
        ),
    }),
    operation({
      id: 'createClient',
      method: 'post',
      path: '/clients',
      scope: 'admin:write',
      summary: 'Registers a client. Its secret, if it needs one, is in this response only.',
      body: fields,
      bodyDescription: z.strictObject(clientFields),
      status: 201,
      response: z.object({ client, client_secret: optionalText }),
      async handle({ env, config, body, origin }) {
        const created = await createClient(env, config, { registration: body, origin })
        return { client: clientResource(created.client), client_secret: created.clientSecret }
      },
    }),
    operation({
      id: 'getClient',
      method: 'get',
      path: '/clients/:id',
      scope: 'admin:read',
      summary: 'Reads a client.',
      response: client,
      handle: async ({ env, config, id }) =>
        clientResource(requireFound(await readClient(env, config, id))),
    }),
    operation({
      id: 'updateClient',
      method: 'patch',
      path: '/clients/:id',
      scope: 'admin:write',
      summary: 'Changes fields of a client; null removes a field (RFC 7396).',
      body: fields,
      response: client,
      handle: async ({ env, config, id, body, origin }) =>
        clientResource(await updateClient(env, config, { clientId: id, changes: body, origin })),
    }),
    operation({
      id: 'deleteClient',
      method: 'delete',
      path: '/clients/:id',
      scope: 'admin:write',
      summary: 'Deletes a client. Its tokens are rejected from then on.',
      handle: async ({ env, config, id, origin }) =>
        deleteClient(env, config, { clientId: id, origin }),
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
        handle: async ({ env, config, id, origin }) =>
          clientResource(
            await setClientDisabled(env, config, {
              clientId: id,
              isDisabled: action === 'disable',
              origin,
            }),
          ),
      }),
    ),
    operation({
      id: 'rotateClientSecret',
      method: 'post',
      path: '/clients/:id/rotate-secret',
      scope: 'admin:write',
      summary: 'Creates a new secret. The former one stays valid next to it.',
      response: z.object({ client_secret: text }),
      handle: async ({ env, config, id, origin }) =>
        toSnakeCase(await rotateClientSecret(env, config, { clientId: id, origin })),
    }),
    operation({
      id: 'removeFormerClientSecret',
      method: 'post',
      path: '/clients/:id/remove-former-secret',
      scope: 'admin:write',
      summary: 'Removes all secrets of a client but the newest.',
      response: client,
      handle: async ({ env, config, id, origin }) =>
        clientResource(await removeFormerClientSecret(env, config, { clientId: id, origin })),
    }),
  ]
}
