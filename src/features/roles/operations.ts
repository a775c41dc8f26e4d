import * as z from 'zod/mini'
import { HttpProblem, requireFound } from '../../administration/http-problem.ts'
import {
  type Implementation,
  implement,
  type OperationRequest,
} from '../../administration/operation.ts'
import type { OperationSchemas } from '../../administration/operation-schemas.ts'
import type { ListPage } from '../../administration/resources.ts'
import { describeUnknownRole } from '../../core/config/user-roles.ts'
import { listHolders, readCopy, recordChange } from './directory-copy.ts'
import { createRoleSchemas, type RoleUser } from './resource.ts'
import { callRoleObject } from './user-roles.ts'

/** The operations on roles. */
export function roleOperations(schemas: OperationSchemas, names: readonly string[]) {
  const { page, list } = schemas
  const { role, roleUser, userRoles } = createRoleSchemas(schemas)
  const change = (options: Omit<ChangeOptions, 'names'>): Implementation =>
    implement({
      response: userRoles,
      handle: (request) => changeRole(request, { names, ...options }),
    })
  return {
    listRoles: implement({
      response: list(role),
      handle: async () => ({ items: names.map((name) => ({ name })) }),
    }),
    listRoleUsers: implement({
      query: z.strictObject(page()),
      response: list(roleUser),
      handle: async ({ env, id, query }) => {
        requireFound(names.find((name) => name === id))
        return listRoleUsers(env, id, query)
      },
    }),
    giveRole: change({ isGiven: true }),
    takeRole: change({ isGiven: false }),
    takeRoleLater: change({ isGiven: false, keepsTokens: true }),
  }
}

/** A page of the users who have a role. The cursor is the id of the last user of the page before. */
export async function listRoleUsers(
  env: Env,
  role: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<ListPage<RoleUser>> {
  const found = await listHolders(env, { role, after: cursor ?? '', limit: limit + 1 })
  const items = found.slice(0, limit)
  return { items, next_cursor: found.length > limit ? items.at(-1)?.id : undefined }
}

interface ChangeOptions {
  /** The roles of the deployment. */
  names: readonly string[]
  isGiven: boolean
  keepsTokens?: boolean
}

/** Changes the roles of a user, first in their object, which decides. It can be repeated. */
async function changeRole(
  { env, config, id, role, origin }: OperationRequest<unknown, unknown>,
  { names, isGiven, keepsTokens = false }: ChangeOptions,
) {
  const { copy } = requireFound(await readCopy(env, id))
  // One that is no longer declared can be taken away.
  const isKnown = names.includes(role) || (!isGiven && copy?.includes(JSON.stringify(role)))
  if (!isKnown) throw new HttpProblem(400, describeUnknownRole(role, names))
  const { isChanged, ...stored } = requireFound(
    await callRoleObject(env, id, (object) =>
      object.changeRole({ role, isGiven, keepsTokens, copy }),
    ),
  )
  await recordChange(env, config, {
    userId: id,
    stored,
    isChanged,
    event: isGiven ? 'roles_given' : 'roles_taken',
    detail: keepsTokens ? `${role}, tokens kept` : role,
    origin,
  })
  return { id, roles: names.filter((name) => stored.names.includes(name)) }
}
