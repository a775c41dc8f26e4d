import type { AuditOrigin } from '../audit/audit-entry.ts'
import type { Config } from '../config/config.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import type { AccountReference } from './account-reference.ts'
import { deleteUser, readUserRows, toLinkedAccount } from './directory.ts'
import { callUserObject } from './user-object.ts'

interface Deletion {
  userId: string
  origin: AuditOrigin
  /** The accounts whose provider tokens are revoked; all of the user's by default. */
  revokedAccounts?: readonly AccountReference[]
}

/**
 * Deletes a user everywhere. Sessions end before the directory entry is deleted, so that no session
 * is left without a user. Returns false if there is no such user, or another request has just
 * deleted them.
 */
export async function deleteUserCompletely(
  env: Env,
  config: Config,
  { userId, origin, revokedAccounts }: Deletion,
): Promise<boolean> {
  const accounts = revokedAccounts ?? (await readAccounts(env, userId))
  if (!accounts) return false
  await callUserObject(env, userId, (object) => object.deleteUserData(accounts))
  return requireStorage(async () => deleteUser(env, config, { userId, origin }))
}

async function readAccounts(
  env: Env,
  userId: string,
): Promise<readonly AccountReference[] | undefined> {
  const rows = await requireStorage(async () => readUserRows(env, userId))
  return rows?.accounts.map(toLinkedAccount)
}
