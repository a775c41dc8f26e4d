import type { AuditOrigin } from '../../core/audit/audit-entry.ts'
import { auditStatements, auditStatementsIfChanged } from '../../core/audit/audit-log.ts'
import type { Config } from '../../core/config/config.ts'
import { database } from '../../core/storage/database.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import type { RoleEvent } from './audit-events.ts'
import type { RolesChange, StoredRoles } from './user-roles.ts'

/*
 * The copy of roles in the table `users`: administrators list who has a role, an import stores it
 * before the user has an object, and a backup of the database contains it.
 */

/** The copy of a user's roles; undefined if there is no such user. */
export async function readCopy(
  env: Env,
  userId: string,
): Promise<{ copy: string | undefined } | undefined> {
  const row = await requireStorage(() =>
    database(env)
      .prepare('SELECT roles FROM users WHERE id = ?')
      .bind(userId)
      .first<{ roles: string | null }>(),
  )
  return row ? { copy: row.roles ?? undefined } : undefined
}

interface RecordedChange {
  userId: string
  stored: StoredRoles
  isChanged: boolean
  event: RoleEvent
  detail: string
  origin: AuditOrigin
}

/**
 * Copies and records the change of an administrator, also if the copy already has a later one. If it
 * failed, and the administrator repeats the change, it is recorded then, together with the copy.
 */
export async function recordChange(
  env: Env,
  config: Config,
  { userId, stored, isChanged, event, detail, origin }: RecordedChange,
): Promise<void> {
  const statementsOf = isChanged ? auditStatements : auditStatementsIfChanged
  await requireStorage(() =>
    database(env).batch([
      updateCopy(env, userId, stored),
      ...statementsOf<RoleEvent>(env, config, { ...origin, event, subject: userId, detail }),
    ]),
  )
}

/** Copies and records what a sign-in has changed. A failure is logged. */
export async function recordSignInChange(
  env: Env,
  config: Config,
  { userId, change }: { userId: string; change: RolesChange },
): Promise<void> {
  const entry = { actor: 'service', subject: userId } as const
  const { given, taken, stored } = change
  const recorded = [
    { ...entry, event: 'roles_given', detail: given.join(' ') } as const,
    { ...entry, event: 'roles_taken', detail: taken.join(' ') } as const,
  ].filter(({ detail }) => detail !== '')
  try {
    await database(env).batch([
      updateCopy(env, userId, stored),
      ...recorded.flatMap((item) => auditStatements<RoleEvent>(env, config, item)),
    ])
  } catch (error) {
    console.error(JSON.stringify({ event: 'roles_not_recorded', userId, cause: String(error) }))
  }
}

/** An older version, which arrives late, does not replace a newer one. */
function updateCopy(env: Env, userId: string, stored: StoredRoles): D1PreparedStatement {
  return database(env)
    .prepare(
      "UPDATE users SET roles = ?2 WHERE id = ?1 AND coalesce(roles ->> 'version', -1) < ?2 ->> 'version'",
    )
    .bind(userId, JSON.stringify(stored))
}

interface RoleHolder {
  id: string
  name: string | undefined
}

/** The users who have a role, by id, from the one after this id on. */
export async function listHolders(
  env: Env,
  { role, after, limit }: { role: string; after: string; limit: number },
): Promise<RoleHolder[]> {
  const { results } = await requireStorage(() =>
    database(env)
      .prepare(LIST_HOLDERS)
      .bind(role, after, limit)
      .all<{ id: string; name: string | null }>(),
  )
  return results.map(({ id, name }) => ({ id, name: name ?? undefined }))
}

const LIST_HOLDERS = `
  SELECT id, coalesce(name, username, email) AS name FROM users INDEXED BY users_with_roles
  WHERE roles IS NOT NULL AND id > ?2
    AND EXISTS (SELECT 1 FROM json_each(roles, '$.names') WHERE value = ?1)
  ORDER BY id LIMIT ?3`
