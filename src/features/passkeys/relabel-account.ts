import { database } from '../../core/storage/database.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import type { AccountReference } from '../../core/users/account-reference.ts'
import { primaryKey } from '../../core/users/directory-rows.ts'

/** Changes the name of an account. */
export async function relabelAccount(
  env: Env,
  { userId, account, label }: { userId: string; account: AccountReference; label: string },
): Promise<void> {
  await requireStorage(() =>
    database(env)
      .prepare(
        'UPDATE accounts SET label = ?5 WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND user_id = ?4',
      )
      .bind(...primaryKey(account), userId, label)
      .run(),
  )
}
