import type { AuditOrigin } from '../audit/audit-entry.ts'
import { entryIdsAt, runRecorded } from '../audit/audit-log.ts'
import {
  accountEventStatements,
  deletedUserStatements,
  type SignInOrigin,
  unlinkedAccountStatements,
} from '../audit/user-events.ts'
import type { Config } from '../config/config.ts'
import { randomId } from '../crypto/random.ts'
import type { User } from '../providers/oauth-types.ts'
import { database } from '../storage/database.ts'
import { nowInSeconds } from '../values/clock.ts'
import { isLinkable } from '../values/email-address.ts'
import type { AccountReference } from './account-reference.ts'
import type { Passkey, PasskeyCopy } from './passkeys.ts'
import { toStoredProfile, verifiedEmail } from './profile.ts'
import type { UserRecord } from './user.ts'

/** An account that was just used to sign in, with the provider's profile. */
export interface SignedInAccount extends AccountReference {
  clientId: string
  scope: string | undefined
  user: User
  /**
   * The providers, with their issuers, to whose accounts with the same verified email address it may
   * be linked. Absent if its own provider does not allow this.
   */
  linksByEmailTo?: Readonly<Record<string, string>>
  /** Whether the values that the profile lacks are kept, because the provider never has them. */
  hasPartialProfile?: boolean
  /** How users recognise the account, if not by their name at the provider. */
  label?: string | undefined
}

/** An account as its user sees it. */
export interface LinkedAccount extends AccountReference {
  unionId: string | undefined
  label: string | undefined
  linkedAt: number
}

/**
 * The user of an account that was just used to sign in. The directory's clock says when the account
 * was found, so that a sign-in can be rejected if the account was disconnected afterwards.
 */
export interface ClaimedUser {
  user: UserRecord
  claimedAt: number
  /** Whether this sign-in created the user. */
  isNewUser: boolean
  /** Whether this sign-in linked the account to the user, by email. */
  isNewMethod?: boolean
}

/** The user of an account, or that this user is blocked and must not be signed in. */
export type SignInResult = ({ kind: 'claimed' } & ClaimedUser) | { kind: 'blocked' }

/**
 * Creates or updates the user with this account, and records the sign-in. One transaction claims
 * the account, so of two concurrent first sign-ins one creates the user and the other finds it. The
 * profile of a blocked user is not updated.
 */
export async function recordSignIn(
  env: Env,
  config: Config,
  { account, origin }: { account: SignedInAccount; origin: SignInOrigin },
): Promise<SignInResult> {
  const startedAt = nowInSeconds()
  const newUserId = randomId('usr')
  const { name, username, email, image, url } = toStoredProfile(account.user)
  const key = primaryKey(account)
  const isPartial = Number(account.hasPartialProfile ?? false)
  const changes = [
    claimAccount(env, config, account, { newUserId }),
    database(env)
      .prepare(UPDATE_NAMES)
      .bind(...key, name, username, isPartial, nowInSeconds()),
    database(env)
      .prepare(RECORD_USER)
      .bind(...key, name, username, email, image, url, nowInSeconds(), isPartial),
    findUser(env, account),
  ]
  const event = { event: 'sign_in', account, newUserId, origin } as const
  const row = await changeAndReadUser(env, changes, accountEventStatements(env, config, event))
  // The account has a user now, who may be blocked.
  if (!row) return { kind: 'blocked' }
  const isNewUser = row.id === newUserId
  const isNew = (row.linked_at ?? 0) >= startedAt
  const isNewMethod = isNew && !isNewUser && account.linksByEmailTo !== undefined
  return toResult(row, { isNewUser, isNewMethod })
}

/** The user with this account, if there is one. Records the sign-in. */
export async function findUserByAccount(
  env: Env,
  config: Config,
  { account, origin }: { account: AccountReference; origin: SignInOrigin },
): Promise<SignInResult | undefined> {
  const row = await changeAndReadUser(
    env,
    [findUser(env, account)],
    accountEventStatements(env, config, { event: 'sign_in', account, origin }),
  )
  return row && toResult(row, { isNewUser: false })
}

/** The user with this account, if there is one, even if blocked. Changes and records nothing. */
export async function readUserOfAccount(
  env: Env,
  account: AccountReference,
): Promise<UserRecord | undefined> {
  const row = await findUser(env, account).first<UserRow>()
  return row ? toUserRecord(row) : undefined
}

/** The copy of a passkey, for a user's object that has lost it. */
export async function readPasskeyCopy(
  env: Env,
  account: AccountReference,
): Promise<PasskeyCopy | undefined> {
  const row = await database(env)
    .prepare(
      `SELECT passkey, ${DIRECTORY_TIME} AS now FROM accounts
       WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3`,
    )
    .bind(...primaryKey(account))
    .first<{ passkey: string | null; now: number }>()
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

/** Changes the name of an account. */
export async function relabelAccount(
  env: Env,
  { userId, account, label }: { userId: string; account: AccountReference; label: string },
): Promise<void> {
  await database(env)
    .prepare(
      'UPDATE accounts SET label = ?5 WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND user_id = ?4',
    )
    .bind(...primaryKey(account), userId, label)
    .run()
}

/** The id of the user whom {@link recordSignIn} would find for this account. Changes nothing. */
export async function findOwner(
  env: Env,
  config: Config,
  account: SignedInAccount,
): Promise<string | undefined> {
  const row = await database(env)
    .prepare(FIND_OWNER)
    .bind(...ownerBindings(config, account))
    .first<{ user_id: string | null }>()
  return row?.user_id ?? undefined
}

/** `taken`: the account belongs to another user. */
export type LinkResult = 'linked' | 'already_linked' | 'taken' | 'blocked'

/**
 * Links an account to a signed-in user, and records this. A user without an email address gets that
 * of the account.
 */
export async function linkAccount(
  env: Env,
  config: Config,
  { userId, account, origin }: { userId: string; account: SignedInAccount; origin: SignInOrigin },
): Promise<LinkResult> {
  const startedAt = nowInSeconds()
  const changes = [
    claimAccount(env, config, account, { newUserId: userId, linkTo: userId }),
    ...(verifiedEmail(account.user) ? [database(env).prepare(ADD_EMAIL).bind(userId)] : []),
    findUser(env, account),
  ]
  const event = { event: 'account_linked', account, userId, origin } as const
  const row = await changeAndReadUser(env, changes, accountEventStatements(env, config, event))
  // A new account is not inserted for a blocked user, so it has none.
  if (!row) return 'blocked'
  if (row.id !== userId) return 'taken'
  if (row.blocked_at !== null) return 'blocked'
  return (row.linked_at ?? startedAt) < startedAt ? 'already_linked' : 'linked'
}

/** Accounts that were unlinked together, and when, by the directory's clock. */
export interface UnlinkedAccounts {
  accounts: AccountReference[]
  unlinkedAt: number
  /** They were the user's last accounts and are still stored. */
  isKept: boolean
}

/**
 * Unlinks an account, including its ids in other apps of the same developer. The user's email
 * address goes with the account that it came from. A user's last account is kept, so that signing
 * in with it again leads to the same user.
 */
export async function unlinkAccount(
  env: Env,
  config: Config,
  { userId, account, origin }: { userId: string; account: LinkedAccount; origin: AuditOrigin },
): Promise<UnlinkedAccounts> {
  const bindings = [userId, ...primaryKey(account), account.unionId ?? null]
  const results = await database(env).batch<AccountRow & { now: number }>([
    database(env)
      .prepare(
        `SELECT *, ${DIRECTORY_TIME} AS now FROM accounts WHERE user_id = ?1 AND ${SAME_ACCOUNT}`,
      )
      .bind(...bindings),
    ...unlinkedAccountStatements(env, config, { account, userId, origin }),
    database(env)
      .prepare(
        `DELETE FROM accounts WHERE user_id = ?1 AND ${SAME_ACCOUNT}
       AND (SELECT count(*) FROM accounts WHERE user_id = ?1 AND NOT ${SAME_ACCOUNT}) > 0`,
      )
      .bind(...bindings),
    database(env).prepare(REPLACE_EMAIL).bind(userId),
  ])
  const rows = results[0]?.results ?? []
  const deletion = results.at(-2)
  return {
    accounts: rows.map(toAccountReference),
    unlinkedAt: rows[0]?.now ?? nowInSeconds(),
    isKept: rows.length > 0 && deletion?.meta.changes === 0,
  }
}

/**
 * Unlinks an account that was linked too late, even if it is the user's last one by now. Returns
 * when, by the directory's clock.
 */
export async function undoLink(
  env: Env,
  config: Config,
  { userId, account, origin }: { userId: string; account: AccountReference; origin: AuditOrigin },
): Promise<number> {
  const unlinked = { ...account, unionId: undefined }
  const results = await database(env).batch<{ now: number }>([
    ...unlinkedAccountStatements(env, config, { account: unlinked, userId, origin }),
    database(env)
      .prepare(
        'DELETE FROM accounts WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND user_id = ?4',
      )
      .bind(...primaryKey(account), userId),
    database(env).prepare(REPLACE_EMAIL).bind(userId),
    database(env).prepare(`SELECT ${DIRECTORY_TIME} AS now`),
  ])
  return results.at(-1)?.results[0]?.now ?? nowInSeconds()
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
  /** The user has no other account. The ids of one account in several apps of ours count as one. */
  isOnly: boolean
  isBlocked: boolean
  /** When it was found, by the directory's clock. */
  removedAt: number
}

/**
 * Finds an account that was removed at the provider at a certain time, unless the user has signed
 * in with it since. The audit log knows with which provider, but not with which account: a sign-in
 * of a user with two accounts of the provider does not count, so that no removal is missed.
 */
export async function findRemovedAccount(
  env: Env,
  account: AccountReference & { clientId: string; at: number },
): Promise<RemovedAccount | undefined> {
  const since = account.at + CLOCK_SKEW + 1
  const row = await database(env)
    .prepare(FIND_REMOVED_ACCOUNT)
    .bind(...primaryKey(account), account.clientId, since, entryIdsAt(since))
    .first<{ user_id: string; now: number; is_blocked: number; is_only: number }>()
  if (!row) return undefined
  return {
    userId: row.user_id,
    isOnly: row.is_only === 1,
    isBlocked: row.is_blocked === 1,
    removedAt: row.now,
  }
}

/** Another account of the user of `accounts`. Its ids in other apps of ours are the same account. */
const OTHER_ACCOUNT = `
  SELECT 1 FROM accounts AS others WHERE others.user_id = accounts.user_id
    AND NOT (others.provider = ?1 AND others.issuer = ?2 AND (others.provider_account_id = ?3
      OR coalesce(others.union_id = accounts.union_id, FALSE)))`

const FIND_REMOVED_ACCOUNT = `
  SELECT user_id, ${DIRECTORY_TIME} AS now,
    (SELECT blocked_at IS NOT NULL FROM users WHERE id = user_id) AS is_blocked,
    NOT EXISTS (${OTHER_ACCOUNT}) AS is_only
  FROM accounts
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND client_id = ?4
    AND updated_at < ?5
    AND (EXISTS (${OTHER_ACCOUNT} AND others.provider = ?1) OR NOT EXISTS (
      SELECT 1 FROM audit WHERE subject = accounts.user_id AND id >= ?6
        AND event = 'sign_in' AND outcome = 'ok' AND provider = ?1))`

/** Deletes a user and their accounts. Returns false if the user has been deleted already. */
export async function deleteUser(
  env: Env,
  config: Config,
  { userId, origin }: { userId: string; origin: AuditOrigin },
): Promise<boolean> {
  const results = await database(env).batch([
    ...deletedUserStatements(env, config, { userId, origin }),
    database(env).prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId),
    database(env).prepare('DELETE FROM users WHERE id = ?').bind(userId),
  ])
  return results.at(-1)?.meta.changes === 1
}

/** The user's accounts, the oldest first. */
export async function listAccounts(env: Env, userId: string): Promise<LinkedAccount[]> {
  const { results } = await selectAccounts(env, userId).all<AccountRow>()
  return results.map(toLinkedAccount)
}

/** Everything the directory has about a user, or `undefined` if there is no such user. */
export async function readUserRows(
  env: Env,
  userId: string,
): Promise<{ user: StoredUser; accounts: AccountRow[] } | undefined> {
  const [users, accounts] = await database(env).batch([
    database(env).prepare('SELECT * FROM users WHERE id = ?').bind(userId),
    selectAccounts(env, userId),
  ])
  const [user] = (users?.results ?? []) as StoredUser[]
  return user && { user, accounts: (accounts?.results ?? []) as AccountRow[] }
}

function selectAccounts(env: Env, userId: string): D1PreparedStatement {
  return database(env)
    .prepare('SELECT * FROM accounts WHERE user_id = ? ORDER BY created_at, inserted_at')
    .bind(userId)
}

/** An account as its user sees it. */
export function toLinkedAccount(row: AccountRow): LinkedAccount {
  return {
    ...toAccountReference(row),
    unionId: row.union_id ?? undefined,
    label: row.label ?? undefined,
    linkedAt: row.created_at,
  }
}

/** Runs statements of which one returns a user, and those that record the event. */
async function changeAndReadUser(
  env: Env,
  statements: D1PreparedStatement[],
  record: D1PreparedStatement[],
): Promise<UserRow | undefined> {
  const results = await runRecorded<UserRow>(env, statements, record)
  return results.flatMap((result) => result.results)[0]
}

/**
 * Inserts or updates an account. A new account belongs to the user who links it, to the user of the
 * same provider account in another app of ours, to the user with the same verified email address if
 * that is allowed, or to a new user.
 */
function claimAccount(
  env: Env,
  config: Config,
  account: SignedInAccount,
  { newUserId, linkTo }: { newUserId: string; linkTo?: string },
): D1PreparedStatement {
  const { clientId, scope, user } = account
  const { label, email } = toStoredProfile(user)
  const accountLabel = account.label ?? label
  return database(env)
    .prepare(CLAIM_ACCOUNT)
    .bind(
      ...ownerBindings(config, account),
      newUserId,
      clientId,
      accountLabel,
      email,
      scope ?? null,
      nowInSeconds(),
      linkTo ?? null,
    )
}

/** What decides to whom a new account belongs. */
function ownerBindings({ administrators }: Config, account: SignedInAccount) {
  const { user, linksByEmailTo = {} } = account
  const email = verifiedEmail(user)
  return [
    ...primaryKey(account),
    user.unionId || null,
    email && isLinkable(email) ? email : null,
    JSON.stringify(linksByEmailTo),
    JSON.stringify(administrators),
  ] as const
}

function findUser(env: Env, account: AccountReference): D1PreparedStatement {
  return database(env)
    .prepare(FIND_USER)
    .bind(...primaryKey(account))
}

function primaryKey({ provider, issuer, accountId }: AccountReference) {
  return [provider, issuer, accountId] as const
}

/** The user of the same provider account in another app of ours. */
const OWNER_BY_UNION_ID = `
  (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer = ?2 AND union_id = ?4 ORDER BY created_at LIMIT 1)`

/**
 * The user with the same verified email address, at a provider that allows this too. An
 * administrator's user or account is never linked: the address would be enough to become one.
 */
const OWNER_BY_EMAIL = `
  (SELECT user_id FROM accounts
   WHERE verified_email = ?5 AND issuer = (SELECT value FROM json_each(?6) WHERE key = provider)
     AND NOT EXISTS (
       SELECT 1 FROM (SELECT value AS name FROM json_each(?7) UNION ALL SELECT name FROM administrators)
       WHERE name IN (?1 || ':' || ?3, accounts.user_id) OR name IN (
         SELECT own.provider || ':' || own.provider_account_id FROM accounts AS own
         WHERE own.user_id = accounts.user_id))
   ORDER BY created_at LIMIT 1)`

/**
 * An account of a blocked user is not updated, and none is linked to them. An account that has not
 * changed is not written.
 */
const CLAIM_ACCOUNT = `
  INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, union_id, label, verified_email,
    scope, created_at, updated_at)
  SELECT ?1, ?2, ?3, coalesce(?14, ${OWNER_BY_UNION_ID}, ${OWNER_BY_EMAIL}, ?8), ?9, ?4, ?10, ?11, ?12, ?13, ?13
  WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = ?14 AND blocked_at IS NOT NULL)
  ON CONFLICT (provider, issuer, provider_account_id) DO UPDATE SET
    client_id = excluded.client_id,
    union_id = coalesce(excluded.union_id, union_id),
    label = excluded.label,
    verified_email = excluded.verified_email,
    scope = excluded.scope,
    updated_at = excluded.updated_at
  WHERE (?14 IS NULL OR user_id = ?14)
    AND (client_id, union_id, label, verified_email COLLATE BINARY, scope) IS NOT
      (excluded.client_id, coalesce(excluded.union_id, union_id), excluded.label,
        excluded.verified_email, excluded.scope)
    AND NOT EXISTS (SELECT 1 FROM users WHERE id = accounts.user_id AND blocked_at IS NOT NULL)`

/** The same choice as in CLAIM_ACCOUNT. */
const FIND_OWNER = `
  SELECT coalesce(
    (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3),
    ${OWNER_BY_UNION_ID}, ${OWNER_BY_EMAIL}) AS user_id`

/**
 * Separate from the other columns, because writing an indexed column also writes its index entry,
 * even if the value is the same.
 */
const UPDATE_NAMES = `
  UPDATE users SET name = iif(?6, coalesce(?4, name), ?4), username = iif(?6, coalesce(?5, username), ?5),
    updated_at = ?7
  WHERE id = (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3)
    AND (name IS NOT iif(?6, coalesce(?4, name), ?4) OR username IS NOT iif(?6, coalesce(?5, username), ?5))
    AND blocked_at IS NULL`

/** An address of the user's accounts, preferably the one that the user already has. */
const OTHER_EMAIL = `(SELECT verified_email FROM accounts WHERE user_id = users.id AND verified_email IS NOT NULL
      ORDER BY verified_email = users.email DESC, created_at LIMIT 1)`

const NEW_EMAIL = `coalesce(excluded.email, ${OTHER_EMAIL})`
const NEW_IMAGE = 'iif(?10, coalesce(excluded.image, image), excluded.image)'
const NEW_URL = 'iif(?10, coalesce(excluded.url, url), excluded.url)'

/** A user who has not changed is not written. */
const RECORD_USER = `
  INSERT INTO users (id, name, username, email, image, url, created_at, updated_at)
  SELECT user_id, ?4, ?5, ?6, ?7, ?8, ?9, ?9 FROM accounts
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3
  ON CONFLICT (id) DO UPDATE SET
    email = ${NEW_EMAIL}, image = ${NEW_IMAGE}, url = ${NEW_URL}, updated_at = excluded.updated_at
  WHERE blocked_at IS NULL AND (email, image, url) IS NOT (${NEW_EMAIL}, ${NEW_IMAGE}, ${NEW_URL})`

/** If no account has the address any longer. */
const REPLACE_EMAIL = `UPDATE users SET email = ${OTHER_EMAIL} WHERE id = ?1 AND email IS NOT ${OTHER_EMAIL}`

/** If the user has none. */
const ADD_EMAIL = `UPDATE users SET email = ${OTHER_EMAIL} WHERE id = ?1 AND email IS NULL AND blocked_at IS NULL`

const FIND_USER = `
  SELECT users.*, accounts.created_at AS linked_at, ${DIRECTORY_TIME} AS now FROM accounts JOIN users ON users.id = accounts.user_id
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3`

/** A row of the table `accounts`. */
export interface AccountRow {
  provider: string
  issuer: string
  provider_account_id: string
  user_id: string
  client_id: string
  union_id: string | null
  label: string | null
  verified_email: string | null
  scope: string | null
  passkey: string | null
  created_at: number
  updated_at: number
  inserted_at: number
}

/** A row of the table `users`. */
export interface StoredUser {
  id: `usr_${string}`
  name: string | null
  username: string | null
  email: string | null
  image: string | null
  url: string | null
  blocked_at: number | null
  former_id: string | null
  created_at: number
  updated_at: number
}

interface UserRow extends StoredUser {
  now: number
  /** When the account was linked. */
  linked_at?: number
}

function toAccountReference(row: AccountRow): AccountReference {
  return { provider: row.provider, issuer: row.issuer, accountId: row.provider_account_id }
}

function toResult(
  row: UserRow,
  isNew: Pick<ClaimedUser, 'isNewUser' | 'isNewMethod'>,
): SignInResult {
  if (row.blocked_at !== null) return { kind: 'blocked' }
  return { kind: 'claimed', user: toUserRecord(row), claimedAt: row.now, ...isNew }
}

export function toUserRecord({ id, name, username, email, image, url }: StoredUser): UserRecord {
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    ...(image && { image }),
    ...(url && { url }),
  }
}
