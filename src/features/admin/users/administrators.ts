import type { Config } from '../../../config/config.ts'
import { database } from '../../../storage/database.ts'
import { requireStorage } from '../../../storage/unavailable-error.ts'
import { HOLDERS, holderBindings } from '../../../users/administrators.ts'
import { ADMIN_ROLES, type AdminRole } from '../roles.ts'

/** An entry that makes a user an administrator. */
export interface Administrator {
  /** `usr_…`, or `provider:account id`. */
  name: string
  role: AdminRole
  /** Those of `AUTH_ADMINS` are owners, and cannot be changed at runtime. */
  source: 'settings' | 'database'
  /** Absent if nobody has signed in with this name. */
  userId?: string
  userName?: string
  /** Since when the user may not sign in. */
  blockedAt?: number
  /** In seconds since 1970. Absent for those of the settings. */
  createdAt?: number
  /** `usr_…`, `client:<client_id>` or `operator`. Absent for those of the settings. */
  createdBy?: string
}

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
      .all<AdministratorRow>(),
  )
  return results.map(({ user_id, user_name, blocked_at, created_at, created_by, ...entry }) => ({
    ...entry,
    ...(user_id !== null && { userId: user_id }),
    ...(user_name !== null && { userName: user_name }),
    ...(blocked_at !== null && { blockedAt: blocked_at }),
    ...(created_at !== null && { createdAt: created_at }),
    ...(created_by !== null && { createdBy: created_by }),
  }))
}

interface AdministratorRow extends Pick<Administrator, 'name' | 'role' | 'source'> {
  user_id: string | null
  user_name: string | null
  blocked_at: number | null
  created_at: number | null
  created_by: string | null
}

const LIST = `${HOLDERS}
  SELECT holders.name, role, source, holders.created_at, created_by,
    users.id AS user_id, coalesce(users.name, users.username) AS user_name, blocked_at
  FROM holders LEFT JOIN users ON users.id = holders.user_id
  ORDER BY source DESC, holders.name`
