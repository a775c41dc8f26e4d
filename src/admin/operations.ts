import * as z from 'zod/mini'
import { listAuditEntries, readHourlyCounts } from '../audit/read-audit.ts'
import { nowInSeconds } from '../clock.ts'
import { apiSchema } from '../config/apis.ts'
import { clientSchema } from '../config/clients.ts'
import { requireStorage } from '../errors.ts'
import { checkReadiness } from '../readiness/check-readiness.ts'
import {
  createApi,
  deleteApi,
  listApis,
  readApi,
  removeFormerApiSecret,
  rotateApiSecret,
  updateApi,
} from '../registrations/manage-apis.ts'
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
import { listKeys, rotateKeys } from '../tokens/manage-keys.ts'
import { exportUser } from '../users/export-user.ts'
import { importUsers } from '../users/import-users.ts'
import { blockUser, endUserSessions, readUserDetails, unblockUser } from '../users/manage-users.ts'
import { searchUsers } from '../users/search-users.ts'
import { deleteUserAsAdministrator } from './delete-user.ts'
import { readMetrics } from './metrics.ts'
import { openApiDocument } from './open-api.ts'
import { type Operation, operation } from './operation.ts'
import { notFound } from './problem.ts'
import { apiResource, clientResource, paginate, toSnakeCase } from './resources.ts'

const MAX_PAGE_LENGTH = 200
const DEFAULT_PAGE_LENGTH = 50

/** What the command line and the console show of the counters by default. */
const DEFAULT_COUNTS_PERIOD = 24 * 3600 // seconds

let operations: readonly Operation[] | undefined

/** Every operation of the API. The table is created on first use, because most isolates never need it. */
export function listOperations(): readonly Operation[] {
  operations ??= createOperations()
  return operations
}

function createOperations(): Operation[] {
  const text = z.string()
  const optionalText = z.optional(text)
  const time = z.coerce.number().check(z.multipleOf(1), z.gte(0))
  const optionalTime = z.optional(time)
  const texts = z.array(text)
  const page = {
    cursor: optionalText,
    limit: z._default(
      z.coerce.number().check(z.multipleOf(1), z.gte(1), z.lte(MAX_PAGE_LENGTH)),
      DEFAULT_PAGE_LENGTH,
    ),
  }
  const pageQuery = z.strictObject(page)
  const fields = z.looseObject({})
  const list = (item: z.ZodMiniType) =>
    z.object({ items: z.array(item), next_cursor: optionalText })

  const { client_secrets_sha256: _, ...clientFields } = clientSchema.shape
  const stored = {
    source: z.enum(['settings', 'database']),
    secret_count: time,
    created_at: optionalTime,
    updated_at: optionalTime,
  }
  const client = z.object({ ...clientFields, ...stored, disabled_at: optionalTime })
  const { secrets_sha256: __, ...apiFields } = apiSchema.shape
  const api = z.object({ ...apiFields, ...stored })

  const auditEntry = z.object({
    id: text,
    at: time,
    event: text,
    outcome: text,
    actor: text,
    subject: optionalText,
    client: optionalText,
    provider: optionalText,
    address: optionalText,
    request_id: optionalText,
    detail: optionalText,
  })
  const account = z.object({
    provider: text,
    issuer: text,
    account_id: text,
    label: optionalText,
  })
  const userFields = {
    id: text,
    name: optionalText,
    username: optionalText,
    email: optionalText,
    image: optionalText,
    blocked_at: optionalTime,
    created_at: time,
    updated_at: time,
    accounts: z.array(account),
  }
  const user = z.object(userFields)
  const userDetails = z.object({
    ...userFields,
    is_block_incomplete: z.boolean(),
    sessions: z.array(
      z.object({
        sid: text,
        device: optionalText,
        place: optionalText,
        authenticated_at: time,
        last_used_at: time,
        client_ids: texts,
      }),
    ),
    consents: z.array(
      z.object({ client_id: text, scope: texts, resources: texts, declined: texts }),
    ),
    grants: z.array(
      z.object({
        client_id: text,
        sid: text,
        scope: texts,
        resources: texts,
        since: time,
        expires_at: time,
      }),
    ),
    passkeys: z.array(
      z.object({
        credential_id: text,
        name: text,
        created_at: time,
        last_used_at: optionalTime,
        is_backup_eligible: z.boolean(),
        is_backed_up: z.boolean(),
        transports: texts,
        aaguid: text,
        counter: time,
      }),
    ),
    recent_sign_ins: z.array(auditEntry),
  })
  const keys = z.array(
    z.object({
      kid: text,
      alg: text,
      state: z.enum(['next', 'active', 'retired']),
      created_at: optionalTime,
      active_since: optionalTime,
      removed_at: optionalTime,
    }),
  )

  return [
    operation({
      id: 'getOpenApi',
      method: 'get',
      path: '/openapi.json',
      scope: 'admin:read',
      summary: 'This document.',
      response: fields,
      handle: async ({ config }) => openApiDocument(config, listOperations()),
    }),

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
        clientResource(required(await readClient(env, config, id))),
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
      handle: async ({ env, config, id }) => apiResource(required(await readApi(env, config, id))),
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

    operation({
      id: 'searchUsers',
      method: 'get',
      path: '/users',
      scope: 'admin:read',
      summary:
        'Finds users by id, account id, verified email address, or the beginning of a name or username; without a query, lists all.',
      query: z.strictObject({ query: z._default(text, ''), ...page }),
      response: list(user),
      async handle({ env, config, query }) {
        const { users, nextCursor } = await searchUsers(env, config, query)
        return { items: toSnakeCase(users), next_cursor: nextCursor }
      },
    }),
    operation({
      id: 'importUsers',
      method: 'post',
      path: '/users/import',
      scope: 'admin:write',
      summary: 'Creates users that do not exist yet: up to 1,000 lines of JSON, one per account.',
      body: z.array(z.unknown()),
      isNdjson: true,
      response: z.object({
        imported: time,
        existing: time,
        problems: z.array(z.object({ line: time, problem: text })),
      }),
      handle: async ({ env, config, body, origin }) =>
        importUsers(env, config, { lines: body, origin }),
    }),
    operation({
      id: 'getUser',
      method: 'get',
      path: '/users/:id',
      scope: 'admin:read',
      summary:
        'Reads a user with accounts, passkeys, sessions, consents, grants and recent sign-ins.',
      response: userDetails,
      handle: async ({ env, config, id }) =>
        toSnakeCase(required(await readUserDetails(env, config, id))),
    }),
    operation({
      id: 'deleteUser',
      method: 'delete',
      path: '/users/:id',
      scope: 'admin:write',
      summary: 'Deletes a user and everything that is stored about them.',
      async handle({ env, config, id, origin }) {
        await deleteUserAsAdministrator(env, config, { userId: id, origin })
      },
    }),
    operation({
      id: 'exportUser',
      method: 'get',
      path: '/users/:id/export',
      scope: 'admin:read',
      summary: 'Everything that is stored about a user, except secrets.',
      response: fields,
      handle: async ({ env, config, id, origin }) =>
        required(await exportUser(env, config, { userId: id, origin })),
    }),
    ...([blockUser, unblockUser] as const).map((change) =>
      operation({
        id: change === blockUser ? 'blockUser' : 'unblockUser',
        method: 'post',
        path: `/users/:id/${change === blockUser ? 'block' : 'unblock'}`,
        scope: 'admin:write',
        summary:
          change === blockUser
            ? 'Ends all sessions and grants of a user, who cannot sign in until unblocked.'
            : 'Lets a blocked user sign in again.',
        async handle({ env, config, id, origin }) {
          if (!(await change(env, config, { userId: id, origin }))) throw notFound()
        },
      }),
    ),
    operation({
      id: 'endUserSessions',
      method: 'post',
      path: '/users/:id/end-sessions',
      scope: 'admin:write',
      summary: 'Ends one session of a user, or all of them without a sid, with their grants.',
      body: z.optional(z.strictObject({ sid: optionalText })),
      async handle({ env, config, id, body, origin }) {
        const change = { userId: id, sid: body?.sid, origin }
        if (!(await endUserSessions(env, config, change))) throw notFound()
      },
    }),

    operation({
      id: 'listKeys',
      method: 'get',
      path: '/keys',
      scope: 'admin:read',
      summary: 'Lists the signing keys, without their private parts.',
      response: z.object({ keys, rotates_at: time }),
      handle: async ({ env }) => toSnakeCase(await listKeys(env)),
    }),
    operation({
      id: 'rotateKeys',
      method: 'post',
      path: '/keys/rotate',
      scope: 'admin:write',
      summary:
        'Activates the next signing keys. With revoke, all former keys are removed, and tokens signed with them are rejected by all servers of this service within a minute.',
      body: z.optional(z.strictObject({ revoke: z.optional(z.boolean()) })),
      response: z.object({ keys }),
      handle: async ({ env, config, body, origin }) =>
        toSnakeCase(await rotateKeys(env, config, { isRevocation: body?.revoke === true, origin })),
    }),

    operation({
      id: 'listAuditEntries',
      method: 'get',
      path: '/audit',
      scope: 'admin:read',
      summary: 'Lists entries of the audit log, the newest first. Times are in seconds since 1970.',
      query: z.strictObject({
        subject: optionalText,
        event: optionalText,
        client: optionalText,
        since: optionalTime,
        until: optionalTime,
        ...page,
      }),
      response: list(auditEntry),
      async handle({ env, query }) {
        const { entries, nextCursor } = await requireStorage(() => listAuditEntries(env, query))
        return { items: toSnakeCase(entries), next_cursor: nextCursor }
      },
    }),
    operation({
      id: 'getCounts',
      method: 'get',
      path: '/counts',
      scope: 'admin:metrics',
      summary: 'Events per hour, provider, client and outcome; of the last 24 hours by default.',
      query: z.strictObject({ since: optionalTime }),
      response: z.object({
        items: z.array(
          z.object({
            hour: time,
            event: text,
            provider: text,
            client: text,
            outcome: text,
            count: time,
          }),
        ),
      }),
      handle: async ({ env, query: { since = nowInSeconds() - DEFAULT_COUNTS_PERIOD } }) => ({
        items: await requireStorage(() => readHourlyCounts(env, { since })),
      }),
    }),
    operation({
      id: 'getMetrics',
      method: 'get',
      path: '/metrics',
      scope: 'admin:metrics',
      summary: "Metrics in Prometheus' text format.",
      response: 'text/plain',
      handle: async ({ env, config }) => readMetrics(env, config),
    }),
    operation({
      id: 'getReadiness',
      method: 'get',
      path: '/readiness',
      scope: 'admin:metrics',
      summary: 'The checks of /readyz, each with the problem and the command that fixes it.',
      response: z.object({
        checks: z.array(
          z.object({
            name: text,
            is_ready: z.boolean(),
            problem: optionalText,
            fix: optionalText,
          }),
        ),
      }),
      handle: async ({ env, config }) => ({
        checks: toSnakeCase(await checkReadiness(env, config)),
      }),
    }),
  ]
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound()
  return value
}
