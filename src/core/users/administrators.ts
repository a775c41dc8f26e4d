import type { Config } from '../config/config.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import { RegistrationError } from '../registrations/registration-error.ts'
import { database } from '../storage/database.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { signInMethods } from '../upstream/sign-in-methods.ts'

/*
 * Who is an administrator, as far as changes to users must know it. What administrators may do is
 * part of a feature.
 */

/** The providers whose accounts can make a user an administrator, with their issuers. */
export function administratorIssuers(config: Config): Record<string, string> {
  const methods = signInMethods(config).filter(
    ({ id }) => !findLocalProvider(config, id)?.method.isCreatedByDevice,
  )
  return Object.fromEntries(methods.map(({ id, accountIssuer }) => [id, accountIssuer]))
}

/** The first two bindings of a statement with {@link HOLDERS}. */
export function holderBindings(config: Config): [string, string] {
  return [JSON.stringify(config.administrators), JSON.stringify(administratorIssuers(config))]
}

/** Whether a user is an administrator of any role. */
export async function isAdministrator(env: Env, config: Config, userId: string): Promise<boolean> {
  if (config.administrators.includes(userId)) return true
  const found = await requireStorage(() =>
    database(env)
      .prepare(`${HOLDERS} SELECT 1 FROM holders WHERE user_id = ?3`)
      .bind(...holderBindings(config), userId)
      .first(),
  )
  return found !== null
}

/** All entries, each with the id of the user to whom it applies. */
export const HOLDERS = `
  WITH entries (name, role, source, created_at, created_by) AS (
    SELECT value, 'owner', 'settings', NULL, NULL FROM json_each(?1)
    UNION ALL
    SELECT name, role, 'database', created_at, created_by FROM administrators),
  holders AS (
    SELECT entries.*, coalesce(
      (SELECT accounts.user_id FROM accounts
       WHERE provider_account_id = substr(entries.name, instr(entries.name, ':') + 1)
         AND provider = substr(entries.name, 1, instr(entries.name, ':') - 1)
         AND issuer = (SELECT value FROM json_each(?2) WHERE key = provider)),
      entries.name) AS user_id
    FROM entries)`

/** The entries that make a user an owner who can sign in. A condition may follow. */
export const OWNERS = `
  SELECT holders.name FROM holders JOIN users ON users.id = holders.user_id
  WHERE holders.role = 'owner' AND users.blocked_at IS NULL`

export function lastOwnerError(name: string): RegistrationError {
  return new RegistrationError({
    path: [],
    code: 'read_only',
    message: `${name} is the last owner who can sign in: make another user an owner first.`,
  })
}
