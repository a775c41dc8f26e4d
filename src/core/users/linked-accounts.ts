import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { AuditOrigin } from '../audit/audit-entry.ts'
import { auditStatementsIfChanged } from '../audit/audit-log.ts'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { methodIssuers } from '../upstream/sign-in-methods.ts'
import { type AccountReference, accountName } from './account-reference.ts'
import { HOLDERS, holderBindings, lastOwnerError, OWNERS } from './administrators.ts'
import {
  type AccountRow,
  ADD_EMAIL,
  DIRECTORY_TIME,
  type LinkedAccount,
  otherEmail,
  primaryKey,
  type StoredUser,
  toAccountReference,
  toLinkedAccount,
} from './directory-rows.ts'

/** The user's accounts, the oldest first. */
export async function listAccounts(env: Env, userId: string): Promise<LinkedAccount[]> {
  const { results } = await requireStorage(() => selectAccounts(env, userId).all<AccountRow>())
  return results.map(toLinkedAccount)
}

/** Everything the directory has about a user, or `undefined` if there is no such user. */
export async function readUserRows(
  env: Env,
  userId: string,
): Promise<{ user: StoredUser; accounts: AccountRow[] } | undefined> {
  const [users, accounts] = await requireStorage(() =>
    database(env).batch([
      database(env).prepare('SELECT * FROM users WHERE id = ?').bind(userId),
      selectAccounts(env, userId),
    ]),
  )
  const [user] = (users?.results ?? []) as StoredUser[]
  return user && { user, accounts: (accounts?.results ?? []) as AccountRow[] }
}

function selectAccounts(env: Env, userId: string): D1PreparedStatement {
  return database(env)
    .prepare('SELECT * FROM accounts WHERE user_id = ? ORDER BY created_at, inserted_at')
    .bind(userId)
}

/** Accounts that were unlinked together, and when, by the directory's clock. */
export interface UnlinkedAccounts {
  accounts: AccountReference[]
  unlinkedAt: number
  /** They were the user's last accounts and are still stored. */
  isKept: boolean
}

/** A change of one account of a user. */
interface AccountChange<Account = AccountReference> {
  userId: string
  account: Account
  origin: AuditOrigin
}

interface Unlinking extends AccountChange<LinkedAccount> {
  /** The accounts of which the user must still have one. */
  remaining: readonly AccountReference[]
  /** Accounts that make the user the last owner who can sign in are kept. */
  keepsLastOwner?: boolean | undefined
}

/**
 * Unlinks an account, including its ids in other apps of the same developer. The user's email
 * address goes with the account that it came from. It is kept if the user has none of the remaining
 * accounts any more, so that signing in with it again leads to the same user. Throws a
 * `RegistrationError` if nothing is unlinked because no other owner could sign in.
 */
export async function unlinkAccount(
  env: Env,
  config: Config,
  { userId, account, remaining, origin, keepsLastOwner = false }: Unlinking,
): Promise<UnlinkedAccounts> {
  const bindings = [
    ...holderBindings(config),
    userId,
    ...primaryKey(account),
    account.unionId ?? null,
    keepsLastOwner ? 1 : 0,
  ]
  const [selection, deletion] = await requireStorage(() =>
    database(env).batch<AccountRow & { now: number; is_last_owner: number }>([
      database(env)
        .prepare(SELECT_UNLINKED)
        .bind(...bindings),
      database(env)
        .prepare(UNLINK)
        .bind(...bindings, JSON.stringify(remaining.map(primaryKey))),
      ...recordUnlinked(env, config, { userId, account, origin }),
      emailStatement(env, config, { userId, statement: REPLACE_EMAIL }),
    ]),
  )
  const rows = selection?.results ?? []
  if (rows[0]?.is_last_owner) throw lastOwnerError(accountName(account))
  return {
    accounts: rows.map(toAccountReference),
    unlinkedAt: rows[0]?.now ?? nowInSeconds(),
    isKept: rows.length > 0 && deletion?.meta.changes === 0,
  }
}

/**
 * Confirms an account that was added without proof, including its ids in other apps of the same
 * developer, and records this. A user without an email address gets that of the account.
 */
export async function confirmAccount(
  env: Env,
  config: Config,
  { userId, account, origin }: AccountChange<LinkedAccount>,
): Promise<void> {
  await requireStorage(() =>
    database(env).batch([
      database(env)
        .prepare(
          `UPDATE accounts SET unconfirmed_sid = NULL
           WHERE provider = ?1 AND issuer = ?2 AND (provider_account_id = ?3 OR union_id = ?4)
             AND user_id = ?5 AND unconfirmed_sid IS NOT NULL`,
        )
        .bind(...primaryKey(account), account.unionId ?? null, userId),
      ...auditStatementsIfChanged(env, config, {
        ...origin,
        event: 'account_confirmed',
        subject: userId,
        provider: account.provider,
      }),
      emailStatement(env, config, { userId, statement: ADD_EMAIL }),
    ]),
  )
}

/**
 * Unlinks an account that was linked too late, even if it is the user's last one by now. Returns
 * when, by the directory's clock.
 */
export async function undoLink(
  env: Env,
  config: Config,
  { userId, account, origin }: AccountChange,
): Promise<number> {
  const results = await requireStorage(() =>
    database(env).batch<{ now: number }>([
      database(env)
        .prepare(
          'DELETE FROM accounts WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND user_id = ?4',
        )
        .bind(...primaryKey(account), userId),
      ...recordUnlinked(env, config, { userId, account, origin }),
      emailStatement(env, config, { userId, statement: REPLACE_EMAIL }),
      database(env).prepare(`SELECT ${DIRECTORY_TIME} AS now`),
    ]),
  )
  return results.at(-1)?.results[0]?.now ?? nowInSeconds()
}

function emailStatement(
  env: Env,
  config: Config,
  { userId, statement }: { userId: string; statement: string },
): D1PreparedStatement {
  return database(env)
    .prepare(statement)
    .bind(userId, JSON.stringify(methodIssuers(config)))
}

/** The address that the user can have; null if none. Changes nothing. */
export async function readConfirmedEmail(
  env: Env,
  config: Config,
  userId: string,
): Promise<string | null | undefined> {
  const statement = `SELECT ${otherEmail('?2')} AS email FROM users WHERE id = ?1`
  const row = await requireStorage(() =>
    emailStatement(env, config, { userId, statement }).first<{ email: string | null }>(),
  )
  return row?.email
}

/** To follow the deletion in the batch: an account that was not deleted is not recorded. */
function recordUnlinked(
  env: Env,
  config: Config,
  { userId, account, origin }: AccountChange,
): D1PreparedStatement[] {
  return auditStatementsIfChanged(env, config, {
    ...origin,
    event: 'account_unlinked',
    subject: userId,
    provider: account.provider,
  })
}

const SAME_ACCOUNT =
  '(provider = ?4 AND issuer = ?5 AND (provider_account_id = ?6 OR coalesce(union_id = ?7, FALSE)))'

/** Whether the only owners who can sign in are those whom these accounts make owners. */
const IS_LAST_OWNER = `
  ?8 = 1 AND EXISTS (${OWNERS}) AND NOT EXISTS (${OWNERS} AND holders.name NOT IN
    (SELECT provider || ':' || provider_account_id FROM accounts
     WHERE user_id = ?3 AND ${SAME_ACCOUNT}))`

const SELECT_UNLINKED = `${HOLDERS}
  SELECT *, ${DIRECTORY_TIME} AS now, ${IS_LAST_OWNER} AS is_last_owner
  FROM accounts WHERE user_id = ?3 AND ${SAME_ACCOUNT}`

const UNLINK = `${HOLDERS}
  DELETE FROM accounts WHERE user_id = ?3 AND ${SAME_ACCOUNT}
    AND EXISTS (SELECT 1 FROM accounts JOIN json_each(?9)
      ON (provider, issuer, provider_account_id) = (value ->> 0, value ->> 1, value ->> 2)
      WHERE user_id = ?3 AND NOT ${SAME_ACCOUNT})
    AND NOT (${IS_LAST_OWNER})`

/** If no account has the address any longer. */
const REPLACE_EMAIL = `UPDATE users SET email = ${otherEmail('?2')} WHERE id = ?1 AND email IS NOT ${otherEmail('?2')}`
