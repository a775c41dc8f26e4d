import { randomId } from '../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isLinkable } from '../../foundation/values/email-address.ts'
import { READ_LOCATION } from '../../foundation/values/jurisdiction.ts'
import type { User } from '../../provider-interface/oauth-types.ts'
import type { AuditOrigin } from '../audit/audit-entry.ts'
import { auditStatementsIfChanged, runRecorded } from '../audit/audit-log.ts'
import { accountEventStatements, type SignInOrigin } from '../audit/user-events.ts'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { requireObjectLocation } from '../storage/object-location.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { methodIssuers } from '../upstream/sign-in-methods.ts'
import type { AccountReference } from './account-reference.ts'
import {
  ADD_EMAIL,
  type Copies,
  copiesOf,
  DIRECTORY_TIME,
  isUnconfirmed,
  otherEmail,
  primaryKey,
  type StoredUser,
  toUserRecord,
} from './directory-rows.ts'
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
  /** Whether the account was added without proof, and the user has not confirmed it since. */
  isMarked: boolean
  /** Whether the user has another account that was added without proof. */
  hasUnconfirmed: boolean
  copies: Copies
}

/** The user of an account, or that this user is blocked and must not be signed in. */
export type SignInResult = ({ kind: 'claimed' } & ClaimedUser) | { kind: 'blocked' }

/** How a sign-in is recorded. */
interface Recording {
  origin: SignInOrigin
  /** Whether only that the user is blocked is recorded now. */
  isRecordedLater?: boolean
}

/**
 * Creates or updates the user with this account, and records the sign-in. One transaction claims
 * the account, so of two concurrent first sign-ins one creates the user and the other finds it. The
 * profile of a blocked user is not updated.
 */
export async function recordSignIn(
  env: Env,
  config: Config,
  { account, ...recording }: { account: SignedInAccount } & Recording,
): Promise<SignInResult> {
  const startedAt = nowInSeconds()
  const newUserId = randomId('usr')
  const { name, username, email, image, url } = toStoredProfile(account.user)
  const key = primaryKey(account)
  const isPartial = Number(account.hasPartialProfile ?? false)
  const methods = JSON.stringify(methodIssuers(config))
  const profile = [...key, name, username, isPartial, startedAt, methods]
  const event = { event: 'sign_in', account, newUserId, ...recording } as const
  const [row] = await changeAndReadUsers(env, () => ({
    statements: [
      claimAccount(env, config, account, { newUserId }),
      database(env)
        .prepare(UPDATE_NAMES)
        .bind(...profile),
      database(env)
        .prepare(RECORD_USER)
        .bind(...profile, email, image, url),
      findUser(env, account),
    ],
    record: accountEventStatements(env, config, event),
  }))
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
  { account, ...recording }: { account: AccountReference } & Recording,
): Promise<SignInResult | undefined> {
  const [row] = await changeAndReadUsers(env, () => ({
    statements: [findUser(env, account)],
    record: accountEventStatements(env, config, { event: 'sign_in', account, ...recording }),
  }))
  return row && toResult(row, { isNewUser: false })
}

/** The user with this account, if there is one, even if blocked. Changes and records nothing. */
export async function readUserOfAccount(
  env: Env,
  account: AccountReference,
): Promise<Pick<ClaimedUser, 'user' | 'hasUnconfirmed'> | undefined> {
  const row = await requireStorage(async () =>
    requireLocation(env, await findUser(env, account).first<UserRow>()),
  )
  return row ? { user: toUserRecord(row), hasUnconfirmed: hasUnconfirmed(row) } : undefined
}

/** The id of the user whom {@link recordSignIn} would find for this account. Changes nothing. */
export async function findOwner(
  env: Env,
  config: Config,
  account: SignedInAccount,
): Promise<string | undefined> {
  const row = await requireStorage(() =>
    database(env)
      .prepare(FIND_OWNER)
      .bind(...ownerBindings(config, account))
      .first<{ user_id: string | null }>(),
  )
  return row?.user_id ?? undefined
}

/** What is stored about the accounts of a user who adds another one. */
export interface AdditionMarks {
  /** The id of the session, if its sign-in is no proof: the user has to confirm the account. */
  unconfirmedSid: string | undefined
  /**
   * Accounts that were added without proof, but count as confirmed because the user can sign in with
   * no other one. They remain so, also if one is added that outranks them.
   */
  confirmed: readonly AccountReference[]
}

/** `taken`: the account belongs to another user. */
export type LinkResult = 'linked' | 'already_linked' | 'taken' | 'blocked'

/**
 * Links an account to a signed-in user, and records this. A user without an email address gets that
 * of the account, unless it is unconfirmed.
 */
export async function linkAccount(
  env: Env,
  config: Config,
  {
    userId,
    account,
    marks: { unconfirmedSid, confirmed },
    origin,
  }: {
    userId: string
    account: SignedInAccount
    marks: AdditionMarks
    origin: SignInOrigin
  },
): Promise<LinkResult> {
  const event = { event: 'account_linked', account, userId, origin } as const
  const found = await changeAndReadUsers(env, () => ({
    statements: [
      findUser(env, account),
      ...confirmed.map((other) =>
        database(env)
          .prepare(CONFIRM)
          .bind(...primaryKey(other), userId),
      ),
      claimAccount(env, config, account, { newUserId: userId, linkTo: userId, unconfirmedSid }),
      ...(verifiedEmail(account.user)
        ? [
            database(env)
              .prepare(ADD_EMAIL)
              .bind(userId, JSON.stringify(methodIssuers(config))),
          ]
        : []),
      findUser(env, account),
    ],
    record: accountEventStatements(env, config, event),
  }))
  const row = found.at(-1)
  // A new account is not inserted for a blocked user, so it has none.
  if (!row) return 'blocked'
  if (row.id !== userId) return 'taken'
  if (row.blocked_at !== null) return 'blocked'
  return found.length > 1 ? 'already_linked' : 'linked'
}

/** Deletes a user and their accounts. Returns false if the user has been deleted already. */
export async function deleteUser(
  env: Env,
  config: Config,
  { userId, origin }: { userId: string; origin: AuditOrigin },
): Promise<boolean> {
  const [, deletion] = await requireStorage(() =>
    database(env).batch([
      database(env).prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId),
      database(env).prepare('DELETE FROM users WHERE id = ?').bind(userId),
      ...auditStatementsIfChanged(env, config, {
        ...origin,
        event: 'user_deleted',
        subject: userId,
      }),
    ]),
  )
  return deletion?.meta.changes === 1
}

/** Runs statements, and those that record the event. Returns the users whom they find. */
async function changeAndReadUsers(
  env: Env,
  prepare: () => Record<'statements' | 'record', D1PreparedStatement[]>,
): Promise<UserRow[]> {
  return requireStorage(async () => {
    const { statements, record } = prepare()
    const results = await runRecorded<UserRow>(env, statements, record)
    const found = results.flatMap((result) => result.results)
    requireLocation(env, found[0])
    return found
  })
}

/**
 * A user's session must not be opened in a new object elsewhere, if `AUTH_JURISDICTION` was changed.
 */
function requireLocation<Row extends UserRow | null | undefined>(env: Env, row: Row): Row {
  requireObjectLocation(env, row?.jurisdiction)
  return row
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
  {
    newUserId,
    linkTo,
    unconfirmedSid,
  }: { newUserId: string; linkTo?: string; unconfirmedSid?: string | undefined },
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
      unconfirmedSid ?? null,
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

/** The oldest account with the same id in all apps of ours. */
const SAME_UNION_ID = 'provider = ?1 AND issuer = ?2 AND union_id = ?4 ORDER BY created_at LIMIT 1'

/** The user of the same provider account in another app of ours. */
const OWNER_BY_UNION_ID = `
  (SELECT user_id FROM accounts WHERE ${SAME_UNION_ID})`

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
 * changed is not written. One that its email address has linked is unconfirmed; the same account in
 * another app of ours is as confirmed as that one.
 */
const CLAIM_ACCOUNT = `
  INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, union_id, label, verified_email,
    scope, created_at, updated_at, unconfirmed_sid)
  SELECT ?1, ?2, ?3, owner.id, ?9, ?4, ?10, ?11, ?12, ?13, ?13,
    CASE owner.id WHEN same.user_id THEN same.unconfirmed_sid WHEN ?8 THEN ?15 ELSE '' END
  FROM (SELECT coalesce(?14, ${OWNER_BY_UNION_ID}, ${OWNER_BY_EMAIL}, ?8) AS id) AS owner
  LEFT JOIN (SELECT user_id, unconfirmed_sid FROM accounts WHERE ${SAME_UNION_ID}) AS same
  WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = ?14 AND blocked_at IS NOT NULL)
  ON CONFLICT (provider, issuer, provider_account_id) DO UPDATE SET
    client_id = excluded.client_id,
    union_id = coalesce(excluded.union_id, union_id),
    label = excluded.label,
    verified_email = excluded.verified_email,
    scope = coalesce(excluded.scope, scope),
    updated_at = excluded.updated_at
  WHERE (?14 IS NULL OR user_id = ?14)
    AND (client_id, union_id, label, verified_email COLLATE BINARY, scope) IS NOT
      (excluded.client_id, coalesce(excluded.union_id, union_id), excluded.label,
        excluded.verified_email, coalesce(excluded.scope, scope))
    AND NOT EXISTS (SELECT 1 FROM users WHERE id = accounts.user_id AND blocked_at IS NOT NULL)`

/** The same choice as in CLAIM_ACCOUNT. */
const FIND_OWNER = `
  SELECT coalesce(
    (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3),
    ${OWNER_BY_UNION_ID}, ${OWNER_BY_EMAIL}) AS user_id`

/** An unconfirmed account changes nothing in the profile, which apps see. */
const IS_UNCONFIRMED = `
  EXISTS (SELECT 1 FROM accounts AS own
    WHERE (own.provider, own.issuer, own.provider_account_id) = (?1, ?2, ?3) AND ${isUnconfirmed('own', '?8')})`

/** The new value of a column of the profile. A partial one keeps what it lacks. */
function replacedBy(value: string, column: string): string {
  return `iif(?6, coalesce(${value}, ${column}), ${value})`
}

const NEW_NAMES = `${replacedBy('?4', 'name')}, ${replacedBy('?5', 'username')}`

/**
 * Separate from the other columns, because writing an indexed column also writes its index entry,
 * even if the value is the same.
 */
const UPDATE_NAMES = `
  UPDATE users SET (name, username, updated_at) = (${NEW_NAMES}, ?7)
  WHERE id = (SELECT user_id FROM accounts WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3)
    AND (name, username) IS NOT (${NEW_NAMES}) AND blocked_at IS NULL AND NOT ${IS_UNCONFIRMED}`

/**
 * A user who has not changed is not written. The SELECT computes the new values, so that each of them
 * is in the statement once: it is sent with every sign-in.
 */
const RECORD_USER = `
  INSERT INTO users (id, name, username, email, image, url, created_at, updated_at)
  SELECT account.user_id, ?4, ?5, coalesce(iif(is_unconfirmed, NULL, ?9), ${otherEmail('?8')}),
    iif(is_unconfirmed, image, ${replacedBy('?10', 'image')}),
    iif(is_unconfirmed, url, ${replacedBy('?11', 'url')}), ?7, ?7
  FROM (SELECT user_id, ${isUnconfirmed('accounts', '?8')} AS is_unconfirmed FROM accounts
    WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3) AS account
  LEFT JOIN users ON users.id = account.user_id
  WHERE users.blocked_at IS NULL
  ON CONFLICT (id) DO UPDATE SET
    email = excluded.email, image = excluded.image, url = excluded.url, updated_at = excluded.updated_at
  WHERE (users.email, users.image, users.url) IS NOT (excluded.email, excluded.image, excluded.url)`

const CONFIRM = `
  UPDATE accounts SET unconfirmed_sid = NULL
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3 AND user_id = ?4`

const FIND_USER = `
  SELECT users.*, accounts.created_at AS linked_at, accounts.unconfirmed_sid IS NOT NULL AS is_marked,
    ${DIRECTORY_TIME} AS now, (${READ_LOCATION}) AS jurisdiction,
    EXISTS (SELECT 1 FROM accounts AS others
      WHERE others.user_id = users.id AND others.unconfirmed_sid IS NOT NULL
        AND NOT (others.provider = ?1 AND others.issuer = ?2 AND others.provider_account_id = ?3)) AS has_unconfirmed
  FROM accounts JOIN users ON users.id = accounts.user_id
  WHERE provider = ?1 AND issuer = ?2 AND provider_account_id = ?3`

interface UserRow extends StoredUser {
  now: number
  /** Where the user's object is. */
  jurisdiction: string | null
  /** When the account was linked. */
  linked_at?: number
  is_marked: number
  has_unconfirmed: number
}

function toResult(
  row: UserRow,
  isNew: Pick<ClaimedUser, 'isNewUser' | 'isNewMethod'>,
): SignInResult {
  if (row.blocked_at !== null) return { kind: 'blocked' }
  return {
    kind: 'claimed',
    user: toUserRecord(row),
    claimedAt: row.now,
    isMarked: row.is_marked === 1,
    hasUnconfirmed: hasUnconfirmed(row),
    copies: copiesOf(row),
    ...isNew,
  }
}

function hasUnconfirmed({ has_unconfirmed }: UserRow): boolean {
  return has_unconfirmed === 1
}
