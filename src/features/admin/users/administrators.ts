import type { Config } from '../../../core/config/config.ts'
import { database } from '../../../core/storage/database.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { HOLDERS, holderBindings } from '../../../core/users/administrators.ts'
import type { Administrator } from '../resources/administrator.ts'
import { ADMIN_ROLES, type AdminRole } from '../roles.ts'

/**
 * The role of a user in `/admin`: the highest of their entries, or undefined without one. An account
 * counts only if it belongs to an enabled provider and to the issuer that is configured now,
 * because the same id at another issuer may be another user. A passkey does not count: its id is
 * chosen by the user's device, so it could be that of a passkey that was removed.
 */
export async function readRole(
  env: Env,
  config: Config,
  userId: string,
): Promise<AdminRole | undefined> {
  // Without the database, so that the console opens while it does not respond.
  if (config.administrators.includes(userId)) return 'owner'
  const { results } = await requireStorage(() =>
    database(env)
      .prepare(`${HOLDERS} SELECT role FROM holders WHERE user_id = ?3`)
      .bind(...holderBindings(config), userId)
      .all<{ role: string }>(),
  )
  return ADMIN_ROLES.find((role) => results.some((row) => row.role === role))
}

/** All of them: those of the settings first, then those in the database by name. */
export async function listAdministrators(env: Env, config: Config): Promise<Administrator[]> {
  const { results } = await requireStorage(() =>
    database(env)
      .prepare(LIST)
      .bind(...holderBindings(config))
      .all(),
  )
  return results.map((row) => {
    const present = Object.entries(row).filter(([, value]) => value !== null)
    return Object.fromEntries(present) as Administrator
  })
}

/** Its columns are the fields of an {@link Administrator}. */
const LIST = `${HOLDERS}
  SELECT holders.name, role, source, holders.created_at, created_by,
    users.id AS user_id, coalesce(users.name, users.username) AS user_name, blocked_at
  FROM holders LEFT JOIN users ON users.id = holders.user_id
  ORDER BY source DESC, holders.name`
