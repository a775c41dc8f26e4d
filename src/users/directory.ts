import { nowInSeconds } from '../clock.ts'
import { isLoopback } from '../config/loopback.ts'
import { randomId } from '../crypto/random.ts'
import { database } from '../database.ts'
import type { User } from '../providers/oauth-types.ts'
import { normalizeEmail } from './email.ts'
import type { AccountReference } from './upstream-account.ts'
import type { UserRecord } from './user.ts'

/** Longer than any real name. Names are part of every token, so their length is limited. */
const MAX_NAME_LENGTH = 200
const MAX_URL_LENGTH = 2048

/** An account that was just used to sign in, with the provider's profile. */
export interface SignedInAccount extends AccountReference {
  clientId: string
  scope: string | undefined
  user: User
  /** Whether the account may be linked to a user with the same verified email address. */
  linksByEmail: boolean
}

/** An account as its user sees it. */
export interface LinkedAccount extends AccountReference {
  unionId: string | undefined
  label: string | undefined
  linkedAt: number
}

/**
 * The user of an account that was just used to sign in. The directory's clock says when the account was found, so that a
 * sign-in can be rejected if the account was disconnected afterwards.
 */
export interface ClaimedUser {
  user: UserRecord
  claimedAt: number
  /** Whether this sign-in created the user. */
  isNewUser: boolean
}

/**
 * Creates or updates the user with this account. One transaction claims the account, so of two concurrent first sign-ins
 * one creates the user and the other finds it.
 */
export async function recordSignIn(env: Env, account: SignedInAccount): Promise<ClaimedUser> {
  const { user } = account
  const newUserId = randomId('usr')
  const recordUser = database(env)
    .prepare(RECORD_USER)
    .bind(
      ...primaryKey(account),
      truncate(user.name),
      truncate(user.username),
      verifiedEmail(user) ?? null,
      safeUrl(user.image),
      safeUrl(user.url),
      nowInSeconds(),
    )
  const [, , users] = await database(env).batch<UserRow>([
    adoptAccount(env, account),
    claimAccount(env, account, { newUserId }),
    recordUser,
  ])
  const [row] = users?.results ?? []
  if (!row) throw new Error('The directory returned no user.')
  return toClaimedUser(row, row.id === newUserId)
}

/** The user with this account, if there is one. */
export async function findUserByAccount(
  env: Env,
  account: AccountReference,
): Promise<ClaimedUser | undefined> {
  const [, users] = await database(env).batch<UserRow>([
    adoptAccount(env, account),
    database(env)
      .prepare(FIND_USER)
      .bind(...primaryKey(account)),
  ])
  const [row] = users?.results ?? []
  return row && toClaimedUser(row, false)
}

/** The id of the user whom {@link recordSignIn} would find for this account. Changes nothing. */
export async function findOwner(env: Env, account: SignedInAccount): Promise<string | undefined> {
  const { user, linksByEmail } = account
  const row = await database(env)
    .prepare(FIND_OWNER)
    .bind(
      ...primaryKey(account),
      user.unionId || null,
      (linksByEmail && verifiedEmail(user)) || null,
    )
    .first<{ user_id: string | null }>()
  return row?.user_id ?? undefined
}

/** Links an account to a signed-in user. Returns false if the account belongs to another user. */
export async function linkAccount(
  env: Env,
  userId: string,
  account: SignedInAccount,
): Promise<boolean> {
  const [, , users] = await database(env).batch<UserRow>([
    adoptAccount(env, account),
    claimAccount(env, account, { newUserId: userId, linkTo: userId }),
    database(env)
      .prepare(FIND_USER)
      .bind(...primaryKey(account)),
  ])
  return users?.results[0]?.id === userId
}

/** Accounts that were unlinked together, and when, by the directory's clock. */
export interface UnlinkedAccounts {
  accounts: AccountReference[]
  unlinkedAt: number
}

/**
 * Unlinks an account, including its ids in other apps of the same developer. A user's last account is kept, so
 * that signing in with it again leads to the same user.
 */
export async function unlinkAccount(
  env: Env,
  userId: string,
  account: LinkedAccount,
): Promise<UnlinkedAccounts> {
  const bindings = [userId, ...primaryKey(account), account.unionId ?? null]
  const [unlinked] = await database(env).batch<AccountRow & { now: number }>([
    database(env)
      .prepare(
        `SELECT *, ${DIRECTORY_TIME} AS now FROM accounts WHERE user_id = ?1 AND ${SAME_ACCOUNT}`,
      )
      .bind(...bindings),
    database(env)
      .prepare(
        `DELETE FROM accounts WHERE user_id = ?1 AND ${SAME_ACCOUNT}
       AND (SELECT count(*) FROM accounts WHERE user_id = ?1 AND NOT ${SAME_ACCOUNT}) > 0`,
      )
      .bind(...bindings),
  ])
  const rows = unlinked?.results ?? []
  return { accounts: rows.map(toAccountReference), unlinkedAt: rows[0]?.now ?? nowInSeconds() }
}

const SAME_ACCOUNT =
  '(provider = ?2 AND issuer = ?3 AND (provider_account_id = ?4 OR coalesce(union_id = ?5, FALSE)))'

/** Seconds with milliseconds, by the one clock that orders all changes to accounts. */
const DIRECTORY_TIME = "unixepoch('subsec')"

/** Tolerance for differences between the provider's clock and ours. */
const CLOCK_SKEW = 60 // seconds

/** An account that the provider reports as removed. */
export interface RemovedAccount {
  userId: string
  /** The user has no other account. */
  isOnly: boolean
  /** When it was found, by the directory's clock. */
  removedAt: number
}

/** Finds an account that was removed at the provider at a certain time, unless the user has signed in with it since. */
export async function findRemovedAccount(
  env: Env,
  account: AccountReference & { clientId: string; at: number },
): Promise<RemovedAccount | undefined> {
  const row = await database(env)
    .prepare(
      `SELECT user_id, ${DIRECTORY_TIME} AS now,
       (SELECT count(*) FROM accounts AS others WHERE others.user_id = accounts.user_id) AS number
     FROM accounts
     WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND client_id = ?4 AND updated_at <= ?5 + ?6`,
    )
    .bind(...primaryKey(account), account.clientId, account.at, CLOCK_SKEW)
    .first<{ user_id: string; now: number; number: number }>()
  return row ? { userId: row.user_id, isOnly: row.number === 1, removedAt: row.now } : undefined
}

/** Deletes a user and their accounts. */
export async function deleteUser(env: Env, userId: string): Promise<void> {
  await database(env).batch([
    database(env).prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId),
    database(env).prepare('DELETE FROM users WHERE id = ?').bind(userId),
  ])
}

/** The user's accounts, the oldest first. */
export async function listAccounts(env: Env, userId: string): Promise<LinkedAccount[]> {
  const { results } = await database(env)
    .prepare('SELECT * FROM accounts WHERE user_id = ? ORDER BY created_at, rowid')
    .bind(userId)
    .all<AccountRow>()
  return results.map((row) => ({
    ...toAccountReference(row),
    unionId: row.union_id ?? undefined,
    label: row.label ?? undefined,
    linkedAt: row.created_at,
  }))
}

/** Sets the issuer of an account that was stored before issuers were (see migration 2). */
function adoptAccount(env: Env, account: AccountReference): D1PreparedStatement {
  return database(env)
    .prepare(
      `UPDATE OR IGNORE accounts SET issuer = ?2
     WHERE provider = ?1 AND issuer = '' AND provider_account_id = ?3 AND ?2 <> ''`,
    )
    .bind(...primaryKey(account))
}

/**
 * Inserts or updates an account. A new account belongs to the user who links it, to the user of the same provider account
 * in another app of ours, to the user with the same verified email address if that is allowed, or to a new user.
 */
function claimAccount(
  env: Env,
  account: SignedInAccount,
  { newUserId, linkTo }: { newUserId: string; linkTo?: string },
): D1PreparedStatement {
  const { clientId, scope, user, linksByEmail } = account
  const email = verifiedEmail(user)
  return database(env)
    .prepare(CLAIM_ACCOUNT)
    .bind(
      ...primaryKey(account),
      newUserId,
      clientId,
      user.unionId || null,
      truncate(user.name ?? user.username),
      email ?? null,
      scope ?? null,
      nowInSeconds(),
      linkTo ?? null,
      (linksByEmail && email) || null,
    )
}

function primaryKey({ provider, issuer, accountId }: AccountReference) {
  return [provider, issuer, accountId] as const
}

const CLAIM_ACCOUNT = `
  INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, union_id, label, verified_email,
    scope, created_at, updated_at)
  VALUES (?1, ?2, ?3, coalesce(?11,
    (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer = ?2 AND union_id = ?6 ORDER BY created_at LIMIT 1),
    (SELECT user_id FROM accounts WHERE verified_email = ?12 ORDER BY created_at LIMIT 1),
    ?4), ?5, ?6, ?7, ?8, ?9, ?10, ?10)
  ON CONFLICT (provider, issuer, provider_account_id) DO UPDATE SET
    client_id = excluded.client_id,
    union_id = coalesce(excluded.union_id, union_id),
    label = excluded.label,
    verified_email = excluded.verified_email,
    scope = excluded.scope,
    updated_at = excluded.updated_at
  WHERE ?11 IS NULL OR user_id = ?11`

/** The same choice as in CLAIM_ACCOUNT. An account without an issuer would be adopted first. */
const FIND_OWNER = `
  SELECT coalesce(
    (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer IN (?2, '') AND provider_account_id = ?3
     ORDER BY issuer DESC LIMIT 1),
    (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer = ?2 AND union_id = ?4 ORDER BY created_at LIMIT 1),
    (SELECT user_id FROM accounts WHERE verified_email = ?5 ORDER BY created_at LIMIT 1)) AS user_id`

const RECORD_USER = `
  INSERT INTO users (id, name, username, email, image, url, created_at, updated_at)
  SELECT user_id, ?4, ?5, ?6, ?7, ?8, ?9, ?9 FROM accounts
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3
  ON CONFLICT (id) DO UPDATE SET
    name = excluded.name,
    username = excluded.username,
    email = excluded.email,
    image = excluded.image,
    url = excluded.url,
    updated_at = excluded.updated_at
  RETURNING *, ${DIRECTORY_TIME} AS now`

const FIND_USER = `
  SELECT users.*, ${DIRECTORY_TIME} AS now FROM accounts JOIN users ON users.id = accounts.user_id
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3`

interface AccountRow {
  provider: string
  issuer: string
  provider_account_id: string
  union_id: string | null
  label: string | null
  created_at: number
}

interface UserRow {
  id: `usr_${string}`
  name: string | null
  username: string | null
  email: string | null
  image: string | null
  url: string | null
  now: number
}

function toAccountReference(row: AccountRow): AccountReference {
  return { provider: row.provider, issuer: row.issuer, accountId: row.provider_account_id }
}

function toClaimedUser(
  { id, name, username, email, image, url, now }: UserRow,
  isNewUser: boolean,
): ClaimedUser {
  return {
    user: {
      id,
      ...(name && { name }),
      ...(username && { username }),
      ...(email && { email }),
      ...(image && { image }),
      ...(url && { url }),
    },
    claimedAt: now,
    isNewUser,
  }
}

/** An unverified address is not stored, because apps would treat it as proof of ownership. */
function verifiedEmail({ email, emailVerified }: User): string | undefined {
  return emailVerified === true ? normalizeEmail(email) : undefined
}

function truncate(name: string | null | undefined): string | null {
  const text = [...(name ?? '').trim().toWellFormed()].slice(0, MAX_NAME_LENGTH).join('')
  return text || null
}

/** Frontends use these URLs in their pages, so only https is accepted, and http on loopback for the stand-in. */
function safeUrl(address: string | null | undefined): string | null {
  const url = URL.parse(address ?? '')
  if (!url || url.href.length > MAX_URL_LENGTH) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.href))
    ? url.href
    : null
}
