import { base64url } from 'jose'
import type { Config } from '../config/config.ts'
import { database } from '../database.ts'
import { requireStorage } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { AccountRow, StoredUser } from './directory.ts'
import { normalizeEmail } from './email.ts'

/** A user as a list shows them. Times are in seconds since 1970. */
export interface UserSummary {
  id: string
  name?: string
  username?: string
  email?: string
  image?: string
  /** Since when the user may not sign in. */
  blockedAt?: number
  createdAt: number
  updatedAt: number
  accounts: { provider: string; issuer: string; accountId: string; label?: string }[]
}

export interface UserPage {
  users: UserSummary[]
  /** Present if there are more. */
  nextCursor?: string
}

/** A query of D1 may have 100 parameters, and the accounts of a page are read with one. */
const MAX_PAGE_SIZE = 100

/** No longer name is stored. */
const MAX_QUERY_LENGTH = 200

/**
 * Finds users by their id, a verified email address, the provider's id of an account (alone or as
 * `provider:id`), or the beginning of their name or username. Upper and lower case of the letters A
 * to Z are the same. Exact matches come first, then names, then usernames, in alphabetical order. An
 * empty query lists all users, the newest first.
 */
export async function searchUsers(
  env: Env,
  _config: Config,
  { query, cursor, limit }: { query: string; cursor?: string | undefined; limit: number },
): Promise<UserPage> {
  const text = query.trim().slice(0, MAX_QUERY_LENGTH)
  const pageSize = Math.max(1, Math.min(limit, MAX_PAGE_SIZE))
  const position = readCursor(cursor)
  const found = await requireStorage(async () =>
    text === '' ? listNewest(env, position, pageSize) : findMatches(env, text, position, pageSize),
  )
  const rows = found.slice(0, pageSize)
  const last = rows.at(-1)
  return {
    users: await requireStorage(async () => withAccounts(env, rows)),
    ...(found.length > pageSize && last && { nextCursor: createCursor(last) }),
  }
}

/** Where a list continues: after this row, in this order. */
interface Position {
  order: 'exact' | 'name' | 'username' | 'newest'
  key: string
  rowid: number
}

/** A cursor that is not one of ours is treated like none: the list starts from the beginning. */
function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined || !/^[\w-]+$/.test(cursor)) return undefined
  const parsed = parseJson(new TextDecoder().decode(base64url.decode(cursor)))
  if (!Array.isArray(parsed)) return undefined
  const [order, key, rowid] = parsed
  if (typeof order !== 'string' || typeof key !== 'string' || !Number.isSafeInteger(rowid)) {
    return undefined
  }
  return { order: order as Position['order'], key, rowid }
}

function createCursor({ order, rowid, name, username }: FoundRow): string {
  const key = (order === 'username' ? username : name) ?? ''
  return base64url.encode(JSON.stringify([order, key, rowid]))
}

async function listNewest(
  env: Env,
  position: Position | undefined,
  limit: number,
): Promise<FoundRow[]> {
  const { results } = await database(env)
    .prepare(LIST_NEWEST)
    .bind(position?.rowid ?? Number.MAX_SAFE_INTEGER, limit + 1)
    .all<FoundRow>()
  return results
}

/** The matches after a position, at least one more than the limit if there are as many. */
async function findMatches(
  env: Env,
  text: string,
  position: Position | undefined,
  limit: number,
): Promise<FoundRow[]> {
  const [, provider, accountId] = text.match(/^([^:]+):(.+)$/s) ?? []
  const exact = [text, normalizeEmail(text) ?? null, provider ?? null, accountId ?? null]
  const range = [text, `${text}${LAST_CHARACTER}`]
  const nameKey = position?.order === 'name' ? position : undefined
  const usernameKey = position?.order === 'username' ? position : undefined
  const [exactMatches, names, usernames] = await database(env).batch<FoundRow>([
    database(env)
      .prepare(FIND_EXACT)
      .bind(...exact, limit + 1),
    database(env)
      .prepare(FIND_BY_NAME)
      .bind(...range, nameKey?.key ?? text, nameKey?.rowid ?? 0, limit + 1),
    database(env)
      .prepare(FIND_BY_USERNAME)
      .bind(...range, usernameKey?.key ?? text, usernameKey?.rowid ?? 0, limit + 1),
  ])
  const exactRows = exactMatches?.results ?? []
  const isOther = ({ id }: FoundRow) => !exactRows.some((row) => row.id === id)
  return [
    ...(position ? [] : exactRows),
    ...(usernameKey ? [] : (names?.results ?? [])).filter(isOther),
    ...(usernames?.results ?? []).filter(isOther),
  ]
}

async function withAccounts(env: Env, rows: readonly FoundRow[]): Promise<UserSummary[]> {
  if (rows.length === 0) return []
  const { results } = await database(env)
    .prepare(
      `SELECT * FROM accounts WHERE user_id IN (${rows.map(() => '?').join()}) ORDER BY created_at, rowid`,
    )
    .bind(...rows.map(({ id }) => id))
    .all<AccountRow>()
  const accounts = Map.groupBy(results, ({ user_id }) => user_id)
  return rows.map((row) => toUserSummary(row, accounts.get(row.id) ?? []))
}

export function toUserSummary(user: StoredUser, accounts: readonly AccountRow[]): UserSummary {
  const { id, name, username, email, image, blocked_at, created_at, updated_at } = user
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    ...(image && { image }),
    ...(blocked_at !== null && { blockedAt: blocked_at }),
    createdAt: created_at,
    updatedAt: updated_at,
    accounts: accounts.map(({ provider, issuer, provider_account_id, label }) => ({
      provider,
      issuer,
      accountId: provider_account_id,
      ...(label && { label }),
    })),
  }
}

interface FoundRow extends StoredUser {
  rowid: number
  order: Position['order']
}

/** Sorts after every other character, so that a range of texts with the same beginning ends here. */
const LAST_CHARACTER = '\u{10FFFF}'

export const LIST_NEWEST = `
  SELECT *, rowid, 'newest' AS "order" FROM users WHERE rowid < ?1 ORDER BY rowid DESC LIMIT ?2`

/** INDEXED BY, because the primary key begins with the provider, which most accounts may share. */
export const FIND_EXACT = `
  SELECT *, rowid, 'exact' AS "order" FROM users
  WHERE id = ?1 OR id IN (
    SELECT user_id FROM accounts WHERE verified_email = ?2
    UNION ALL SELECT user_id FROM accounts INDEXED BY accounts_by_provider_account_id
      WHERE provider_account_id = ?1
    UNION ALL SELECT user_id FROM accounts INDEXED BY accounts_by_provider_account_id
      WHERE provider_account_id = ?4 AND provider = ?3)
  LIMIT ?5`

export const FIND_BY_NAME = `
  SELECT *, rowid, 'name' AS "order" FROM users
  WHERE name COLLATE NOCASE >= ?3 AND name COLLATE NOCASE < ?2
    AND (name COLLATE NOCASE > ?3 OR rowid > ?4)
  ORDER BY name COLLATE NOCASE, rowid LIMIT ?5`

/** Without those that are found by their name. */
export const FIND_BY_USERNAME = `
  SELECT *, rowid, 'username' AS "order" FROM users
  WHERE username COLLATE NOCASE >= ?3 AND username COLLATE NOCASE < ?2
    AND (username COLLATE NOCASE > ?3 OR rowid > ?4)
    AND NOT coalesce(name COLLATE NOCASE >= ?1 AND name COLLATE NOCASE < ?2, FALSE)
  ORDER BY username COLLATE NOCASE, rowid LIMIT ?5`
