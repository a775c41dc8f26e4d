import { waitUntil } from 'cloudflare:workers'
import * as z from 'zod/mini'
import { isGranted } from '../../../administration/admin-scopes.ts'
import { HttpProblem, notFound, requireFound } from '../../../administration/http-problem.ts'
import { implement } from '../../../administration/operation.ts'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import { toSnakeCase } from '../../../administration/resources.ts'
import { announceChange } from '../../../core/account/announce-change.ts'
import { runEvent } from '../../../core/callbacks/run-callbacks.ts'
import type { Config } from '../../../core/config/config.ts'
import { chooseLanguage } from '../../../core/messages/choose.ts'
import { accountName, toEventAccount } from '../../../core/users/account-reference.ts'
import { toLinkedAccount } from '../../../core/users/directory-rows.ts'
import { exportUser } from '../../../core/users/export-user.ts'
import { readUserRows } from '../../../core/users/linked-accounts.ts'
import { deleteUserCompletely, removeAccount } from '../../../core/users/remove-user.ts'
import { createUserSchemas } from '../resources/user.ts'
import { readRole } from '../users/administrators.ts'
import { importUsers } from '../users/import-users.ts'
import {
  blockUser,
  endUserSessions,
  readUserDetails,
  revokeClientOfUser,
  unblockUser,
} from '../users/manage-users.ts'
import { MAX_USERS, searchUsers, USER_LISTS } from '../users/search-users.ts'
import { BLOCK_REASON } from './operation-table.ts'

const REASON_TOO_LONG = `must have at most ${BLOCK_REASON.maxLength} characters.`

/** The operations on users. */
export function userOperations(schemas: OperationSchemas) {
  const { text, texts, count, page, fields, list } = schemas
  const { user, userDetails } = createUserSchemas(schemas)
  const endedSessions = z.object({ sessions_ended: count })
  const blockReason = z.string().check(z.maxLength(BLOCK_REASON.maxLength, REASON_TOO_LONG))
  return {
    searchUsers: implement({
      query: z.strictObject({
        query: z._default(text, ''),
        list: z.optional(z.enum(USER_LISTS)),
        ...page(MAX_USERS),
      }),
      response: list(user),
      handle: ({ env, query }) => {
        if (query.query.trim() !== '' && query.list !== undefined) {
          throw new HttpProblem(400, 'A list is not searched: query and list exclude each other.')
        }
        return searchUsers(env, query)
      },
    }),
    importUsers: implement({
      body: z.array(z.unknown()),
      isNdjson: true,
      response: z.object({
        imported: count,
        existing: count,
        problems: z.array(z.object({ line: count, problem: text })),
        unused_fields: z.array(z.object({ line: count, fields: texts })),
        changed_fields: z.array(z.object({ line: count, fields: texts })),
        ids: z.array(z.object({ former_id: text, id: text })),
      }),
      handle: async ({ env, config, body, origin }) =>
        toSnakeCase(await importUsers(env, config, { lines: body, origin })),
    }),
    getUser: implement({
      response: userDetails,
      handle: async ({ env, config, id }) => requireFound(await readUserDetails(env, config, id)),
    }),
    deleteUser: implement({
      async handle({ env, config, id, origin, scopes }) {
        await protectOwner(env, config, { id, scopes })
        // Fails for the last one, also if two of them are deleted at the same time.
        if ((await readRole(env, config, id)) === 'owner') {
          await blockUser(env, config, { userId: id, origin })
        }
        if (!(await deleteUserCompletely(env, config, { userId: id, origin }))) return
        const payload = { user: { id }, reason: 'administrator' } as const
        waitUntil(runEvent(config, 'deleteUser', payload, origin.requestId))
      },
    }),
    exportUser: implement({
      response: fields,
      handle: async ({ env, config, id, origin }) =>
        requireFound(await exportUser(env, config, { userId: id, origin })),
    }),
    blockUser: implement({
      body: z.optional(z.strictObject({ reason: z.optional(blockReason) })),
      response: endedSessions,
      async handle({ env, config, id, body, origin, scopes }) {
        await protectOwner(env, config, { id, scopes })
        const reason = body?.reason?.trim() || undefined
        const ended = requireFound(await blockUser(env, config, { userId: id, reason, origin }))
        return { sessions_ended: ended }
      },
    }),
    unblockUser: implement({
      async handle({ env, config, id, origin, scopes }) {
        await protectOwner(env, config, { id, scopes })
        if (!(await unblockUser(env, config, { userId: id, origin }))) throw notFound()
      },
    }),
    endUserSessions: implement({
      response: endedSessions,
      async handle({ env, config, id, origin, scopes }) {
        await protectOwner(env, config, { id, scopes })
        const ended = requireFound(await endUserSessions(env, config, { userId: id, origin }))
        return { sessions_ended: ended }
      },
    }),
    endUserSession: implement({
      response: endedSessions,
      async handle({ env, config, id, sid, origin, scopes }) {
        await protectOwner(env, config, { id, scopes })
        const ended = requireFound(await endUserSessions(env, config, { userId: id, sid, origin }))
        return { sessions_ended: ended }
      },
    }),
    revokeUserClient: implement({
      async handle({ env, config, id, client: clientId, origin, scopes }) {
        await protectOwner(env, config, { id, scopes })
        if (await revokeClientOfUser(env, config, { userId: id, clientId, origin })) return
        requireFound(await readUserRows(env, id))
        throw new HttpProblem(409, `The client ${clientId} has no access to this user.`)
      },
    }),
    removeUserAccount: implement({
      async handle({ env, config, id, account: name, origin, scopes }) {
        await protectOwner(env, config, { id, scopes })
        const rows = requireFound(await readUserRows(env, id))
        const accounts = rows.accounts.map(toLinkedAccount)
        const account = requireFound(accounts.find((other) => accountName(other) === name))
        const change = { userId: id, account, remaining: accounts, origin, keepsLastOwner: true }
        const isRemoved = accounts.length > 1 && (await removeAccount(env, config, change))
        // Nobody could sign in as the user any more.
        if (!isRemoved) throw new HttpProblem(409, 'The user has no other way to sign in.')
        const payload = { user: { id }, account: toEventAccount(account) }
        waitUntil(runEvent(config, 'unlinkAccount', payload, origin.requestId))
        waitUntil(
          announceChange(
            { env, config },
            {
              // The language of the user is not known.
              messages: await chooseLanguage(config.languages).loadMessages(),
              userId: id,
              email: rows.user.email ?? undefined,
              change: { ...account, kind: 'removed' },
              origin: '',
            },
          ),
        )
      },
    }),
  }
}

/**
 * Owners are changed only by those who may change administrators. Everyone else could lock them
 * out, or let in one who was locked out.
 */
export async function protectOwner(
  env: Env,
  config: Config,
  { id, scopes }: { id: string; scopes: readonly string[] },
): Promise<void> {
  if (isGranted('admin:administrators', scopes)) return
  if ((await readRole(env, config, id)) !== 'owner') return
  throw new HttpProblem(403, 'The user is an owner, whom only owners can change.')
}
