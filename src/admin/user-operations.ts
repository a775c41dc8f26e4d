import * as z from 'zod/mini'
import { exportUser } from '../users/export-user.ts'
import { importUsers } from '../users/import-users.ts'
import { blockUser, endUserSessions, readUserDetails, unblockUser } from '../users/manage-users.ts'
import { MAX_USERS, searchUsers } from '../users/search-users.ts'
import { deleteUserAsAdministrator } from './delete-user.ts'
import { notFound, requireFound } from './http-problem.ts'
import { type Operation, operation } from './operation.ts'
import type { OperationSchemas } from './operation-schemas.ts'
import { toSnakeCase } from './resources.ts'

/** The operations on users. */
export function userOperations(schemas: OperationSchemas): Operation[] {
  const { text, texts, optionalText, count, time, optionalTime, page, fields, list, auditEntry } =
    schemas
  const accountFields = {
    provider: text,
    issuer: text,
    account_id: text,
    label: optionalText,
  }
  const userFields = {
    id: text,
    name: optionalText,
    username: optionalText,
    email: optionalText,
    image: optionalText,
    blocked_at: optionalTime,
    created_at: time,
    updated_at: time,
  }
  const user = z.object({ ...userFields, accounts: z.array(z.object(accountFields)) })
  const userDetails = z.object({
    ...userFields,
    url: optionalText,
    accounts: z.array(
      z.object({
        ...accountFields,
        client_id: text,
        union_id: optionalText,
        verified_email: optionalText,
        scope: optionalText,
        created_at: time,
        updated_at: time,
      }),
    ),
    is_block_incomplete: z.boolean(),
    sessions: z.array(
      z.object({
        sid: text,
        device: optionalText,
        place: optionalText,
        provider: optionalText,
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
        counter: count,
      }),
    ),
    recent_sign_ins: z.array(auditEntry),
  })

  return [
    operation({
      id: 'searchUsers',
      method: 'get',
      path: '/users',
      scope: 'admin:read',
      summary:
        'Finds users by id, account id, verified email address, or the beginning of a name or username; without a query, lists all.',
      query: z.strictObject({ query: z._default(text, ''), ...page(MAX_USERS) }),
      response: list(user),
      async handle({ env, query }) {
        const { users, nextCursor } = await searchUsers(env, query)
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
        imported: count,
        existing: count,
        problems: z.array(z.object({ line: count, problem: text })),
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
      handle: async ({ env, id }) => toSnakeCase(requireFound(await readUserDetails(env, id))),
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
        requireFound(await exportUser(env, config, { userId: id, origin })),
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
  ]
}
