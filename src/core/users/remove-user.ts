import type { AuditOrigin } from '../audit/audit-entry.ts'
import type { Config } from '../config/config.ts'
import type { AccountReference } from './account-reference.ts'
import { deleteUser } from './directory.ts'
import { type LinkedAccount, toLinkedAccount } from './directory-rows.ts'
import { readUserRows, unlinkAccount } from './linked-accounts.ts'
import { callUserObject } from './user-object.ts'

/** Who changes which user. */
interface UserChange {
  userId: string
  origin: AuditOrigin
}

/**
 * Removes a way to sign in. Someone else may have signed in with it, so every session ends. If the
 * user has none of the remaining accounts any more, it is kept, but its sessions end, too. Returns
 * whether it was removed. If it fails, it can be repeated. With `keepsLastOwner`, it throws a
 * `RegistrationError` and changes nothing if no other owner could sign in.
 */
export async function removeAccount(
  env: Env,
  config: Config,
  {
    userId,
    account,
    ...change
  }: UserChange & {
    account: LinkedAccount
    remaining: readonly AccountReference[]
    keepsLastOwner?: boolean | undefined
  },
): Promise<boolean> {
  const { accounts, unlinkedAt, isKept } = await unlinkAccount(env, config, {
    userId,
    account,
    ...change,
  })
  // Once it is disconnected, no sign-in restores a passkey that is then removed.
  await callUserObject(env, userId, (object) => object.disconnect(account, unlinkedAt, accounts))
  if (!isKept) await callUserObject(env, userId, (object) => object.removeMethod(account))
  return !isKept
}

interface Deletion extends UserChange {
  /** The accounts whose provider tokens are revoked; all of the user's by default. */
  revokedAccounts?: readonly AccountReference[]
}

/**
 * Deletes a user everywhere. Sessions end before the directory entry is deleted, so that no session
 * is left without a user. A user who is signed out cannot repeat the request, so the object is called
 * again if its answer is lost. Returns false if there is no such user, or another request has just
 * deleted them.
 */
export async function deleteUserCompletely(
  env: Env,
  config: Config,
  { userId, origin, revokedAccounts }: Deletion,
): Promise<boolean> {
  const accounts = revokedAccounts ?? (await readAccounts(env, userId))
  if (!accounts) return false
  const erase = () => callUserObject(env, userId, (object) => object.deleteUserData(accounts))
  await erase().catch(erase)
  return deleteUser(env, config, { userId, origin })
}

async function readAccounts(
  env: Env,
  userId: string,
): Promise<readonly AccountReference[] | undefined> {
  const rows = await readUserRows(env, userId)
  return rows?.accounts.map(toLinkedAccount)
}
