import { database } from '../../core/storage/database.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import type { AccountReference } from '../../core/users/account-reference.ts'
import { DIRECTORY_TIME, primaryKey } from '../../core/users/directory-rows.ts'
import type { Passkey, PasskeyCopy } from './passkeys.ts'

/** The copy of a passkey, for a user's object that has lost it. */
export async function readPasskeyCopy(
  env: Env,
  account: AccountReference,
): Promise<PasskeyCopy | undefined> {
  const row = await requireStorage(() =>
    database(env)
      .prepare(
        `SELECT passkey, ${DIRECTORY_TIME} AS now FROM accounts
         WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3`,
      )
      .bind(...primaryKey(account))
      .first<{ passkey: string | null; now: number }>(),
  )
  return row?.passkey ? { passkey: JSON.parse(row.passkey), readAt: row.now } : undefined
}

/** Stores the copy of a passkey, if the user still has it. */
export async function storePasskeyCopy(
  env: Env,
  { userId, account, passkey }: { userId: string; account: AccountReference; passkey: Passkey },
): Promise<void> {
  await database(env)
    .prepare(
      'UPDATE accounts SET passkey = ?5 WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND user_id = ?4',
    )
    .bind(...primaryKey(account), userId, JSON.stringify(passkey))
    .run()
}
