import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { signInMethods } from '../upstream/sign-in-methods.ts'
import { PASSKEY_PROVIDER } from './passkeys.ts'

/**
 * Whether a user may use `/admin`. Administrators are listed in `AUTH_ADMINS` or in the database,
 * by their id or by an account. An account counts only if it belongs to an enabled provider and to
 * the issuer that is configured now, because the same id at another issuer may be another user. A
 * passkey does not count: its id is chosen by the user's device, so it could be that of a passkey
 * that was removed.
 */
export async function isAdministrator(env: Env, config: Config, userId: string): Promise<boolean> {
  if (config.administrators.includes(userId)) return true
  const issuers = signInMethods(config)
    .filter(({ id }) => id !== PASSKEY_PROVIDER)
    .map(({ id, accountIssuer }) => [id, accountIssuer])
  const row = await requireStorage(() =>
    database(env)
      .prepare(IS_ADMINISTRATOR)
      .bind(
        userId,
        JSON.stringify(config.administrators),
        JSON.stringify(Object.fromEntries(issuers)),
      )
      .first(),
  )
  return row !== null
}

const IS_ADMINISTRATOR = `
  WITH names (name) AS (
    SELECT ?1
    UNION ALL
    SELECT provider || ':' || provider_account_id FROM accounts
    WHERE user_id = ?1 AND issuer = (SELECT value FROM json_each(?3) WHERE key = provider))
  SELECT 1 FROM names
  WHERE name IN (SELECT value FROM json_each(?2)) OR name IN (SELECT name FROM administrators)
  LIMIT 1`
