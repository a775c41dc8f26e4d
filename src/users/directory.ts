import { seconds } from '../clock.ts'
import { isLoopback } from '../config/loopback.ts'
import { randomId } from '../crypto/random.ts'
import type { User } from '../providers/oauth-types.ts'
import { normaliseEmail } from './email.ts'
import type { UserRecord } from './user.ts'

/** Long enough for any real name; a longer one is somebody's joke at the cost of every cookie and token. */
const LONGEST_NAME = 200
const LONGEST_URL = 2048

/** The account a person has just signed in with, and what the provider says of them. */
export interface SignedInAccount {
  provider: string
  clientId: string
  scope: string | undefined
  user: User
  /** Whether a verified email address may stand for the person it belongs to elsewhere. */
  linksByEmail: boolean
}

/** An account as its owner sees it. */
export interface LinkedAccount {
  provider: string
  accountId: string
  unionId: string | undefined
  label: string | undefined
  linkedAt: number
}

/**
 * The person with this account, made or brought up to date. One transaction claims the account: of
 * two first sign-ins at once, one makes the user and the other finds it.
 */
export async function recordSignIn(env: Env, account: SignedInAccount): Promise<UserRecord> {
  const { provider, user } = account
  const recordUser = env.DIRECTORY.prepare(RECORD_USER).bind(
    provider,
    user.id,
    shorten(user.name),
    shorten(user.username),
    verifiedEmail(user) ?? null,
    webAddress(user.image),
    webAddress(user.url),
    seconds(),
  )
  const [, people] = await env.DIRECTORY.batch<UserRow>([claim(env, account), recordUser])
  const [row] = people?.results ?? []
  if (!row) throw new Error('The directory recorded nobody.')
  return toRecord(row)
}

/** Ties an account to a person who is signed in. Somebody else's account stays theirs: then `false`. */
export async function linkAccount(
  env: Env,
  userId: string,
  account: SignedInAccount,
): Promise<boolean> {
  const { provider, user } = account
  const [, owners] = await env.DIRECTORY.batch<UserRow>([
    claim(env, account, userId),
    env.DIRECTORY.prepare(FIND_USER).bind(provider, user.id),
  ])
  return owners?.results[0]?.id === userId
}

/**
 * Unties an account, under all the names it has in apps of ours. The last one stays known, as one that was taken back:
 * who signs in with it again is the same person.
 */
export async function unlinkAccount(
  env: Env,
  userId: string,
  { provider, accountId, unionId }: LinkedAccount,
): Promise<void> {
  const bound = [userId, provider, accountId, unionId ?? null]
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare(
      `DELETE FROM accounts WHERE user_id = ?1 AND ${SAME_ACCOUNT}
       AND (SELECT count(*) FROM accounts WHERE user_id = ?1 AND NOT ${SAME_ACCOUNT}) > 0`,
    ).bind(...bound),
    env.DIRECTORY.prepare(
      `UPDATE accounts SET removed_at = ?5 WHERE user_id = ?1 AND ${SAME_ACCOUNT}`,
    ).bind(...bound, seconds()),
  ])
}

const SAME_ACCOUNT =
  '(provider = ?2 AND (provider_account_id = ?3 OR coalesce(union_id = ?4, FALSE)))'

/** Clocks differ a little. */
const SKEW = 60 // seconds

/**
 * Remembers that an account's owner took back, at that time, what they had granted; unless they have signed in
 * since. Says who it is, and whether they have no other account.
 */
export async function markRemoved(
  env: Env,
  account: { provider: string; clientId: string; accountId: string; at: number },
): Promise<{ userId: string; isOnly: boolean } | undefined> {
  const row = await env.DIRECTORY.prepare(
    `UPDATE accounts SET removed_at = ?4
     WHERE provider = ?1 AND client_id = ?2 AND provider_account_id = ?3 AND updated_at <= ?4 + ?5
     RETURNING user_id, (SELECT count(*) FROM accounts AS others WHERE others.user_id = accounts.user_id) AS number`,
  )
    .bind(account.provider, account.clientId, account.accountId, account.at, SKEW)
    .first<{ user_id: string; number: number }>()
  return row ? { userId: row.user_id, isOnly: row.number === 1 } : undefined
}

/** Forgets a person and their accounts. */
export async function deleteUser(env: Env, userId: string): Promise<void> {
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId),
    env.DIRECTORY.prepare('DELETE FROM users WHERE id = ?').bind(userId),
  ])
}

/** The person's accounts, the oldest first. */
export async function accountsOf(env: Env, userId: string): Promise<LinkedAccount[]> {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT provider, provider_account_id, union_id, label, created_at FROM accounts WHERE user_id = ? ORDER BY created_at, rowid',
  )
    .bind(userId)
    .all<AccountRow>()
  return results.map((row) => ({
    provider: row.provider,
    accountId: row.provider_account_id,
    unionId: row.union_id ?? undefined,
    label: row.label ?? undefined,
    linkedAt: row.created_at,
  }))
}

/** The person with this account, if they have signed in before. */
export async function findByAccount(
  env: Env,
  provider: string,
  accountId: string,
): Promise<UserRecord | undefined> {
  const row = await env.DIRECTORY.prepare(FIND_USER).bind(provider, accountId).first<UserRow>()
  return row ? toRecord(row) : undefined
}

/** Whose a new account is: who links it, the same person in another app of ours, their email's owner, or nobody's yet. */
function claim(env: Env, account: SignedInAccount, linkTo?: string): D1PreparedStatement {
  const { provider, clientId, scope, user, linksByEmail } = account
  const email = verifiedEmail(user)
  return env.DIRECTORY.prepare(CLAIM_ACCOUNT).bind(
    provider,
    user.id,
    randomId('usr'),
    clientId,
    user.unionId || null,
    shorten(user.name ?? user.username),
    email ?? null,
    scope ?? null,
    seconds(),
    linkTo ?? null,
    (linksByEmail && email) || null,
  )
}

const CLAIM_ACCOUNT = `
  INSERT INTO accounts (provider, provider_account_id, user_id, client_id, union_id, label, verified_email,
    scope, created_at, updated_at)
  VALUES (?1, ?2, coalesce(?10,
    (SELECT user_id FROM accounts WHERE provider = ?1 AND union_id = ?5 ORDER BY created_at LIMIT 1),
    (SELECT user_id FROM accounts WHERE verified_email = ?11 ORDER BY created_at LIMIT 1),
    ?3), ?4, ?5, ?6, ?7, ?8, ?9, ?9)
  ON CONFLICT (provider, provider_account_id) DO UPDATE SET
    client_id = excluded.client_id,
    union_id = coalesce(excluded.union_id, union_id),
    label = excluded.label,
    verified_email = excluded.verified_email,
    scope = excluded.scope,
    removed_at = NULL,
    updated_at = excluded.updated_at
  WHERE ?10 IS NULL OR user_id = ?10`

const RECORD_USER = `
  INSERT INTO users (id, name, username, email, image, url, created_at, updated_at)
  SELECT user_id, ?3, ?4, ?5, ?6, ?7, ?8, ?8 FROM accounts WHERE provider = ?1 AND provider_account_id = ?2
  ON CONFLICT (id) DO UPDATE SET
    name = excluded.name,
    username = excluded.username,
    email = excluded.email,
    image = excluded.image,
    url = excluded.url,
    updated_at = excluded.updated_at
  RETURNING *`

const FIND_USER = `
  SELECT users.* FROM accounts JOIN users ON users.id = accounts.user_id
  WHERE provider = ?1 AND provider_account_id = ?2`

interface AccountRow {
  provider: string
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
}

function toRecord({ id, name, username, email, image, url }: UserRow): UserRecord {
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    ...(image && { image }),
    ...(url && { url }),
  }
}

/** An address that nobody vouches for is worse than none: apps would take it for proof. */
function verifiedEmail({ email, emailVerified }: User): string | undefined {
  return emailVerified === true ? normaliseEmail(email) : undefined
}

function shorten(name: string | null | undefined): string | null {
  const text = [...(name ?? '').trim().toWellFormed()].slice(0, LONGEST_NAME).join('')
  return text || null
}

/** Frontends put these into their pages: an https address, or none. A stand-in on loopback has only http. */
function webAddress(address: string | null | undefined): string | null {
  const url = URL.parse(address ?? '')
  if (!url || url.href.length > LONGEST_URL) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.href))
    ? url.href
    : null
}
