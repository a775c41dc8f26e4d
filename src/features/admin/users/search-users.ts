import { base64url } from 'jose'
import type { ListPage } from '../../../administration/resources.ts'
import { database } from '../../../core/storage/database.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import {
  type AccountRow,
  type StoredUser,
  toUserRecord,
} from '../../../core/users/directory-rows.ts'
import { normalizeEmail } from '../../../foundation/values/email-address.ts'
import { parseJson } from '../../../foundation/values/json.ts'
import type { User } from '../resources/user.ts'

/** A query of D1 may have 100 parameters, and the accounts of a page are read with one. */
export const MAX_USERS = 100

/** An account id may exist at several providers, but not at this many. */
const MAX_EXACT_MATCHES = 20

/** No longer name is stored. */
const MAX_QUERY_LENGTH = 200

/**
 * Finds users by their id, their former id, the beginning of a verified email address, the provider's
 * id of an account (alone or as `provider:id`), or any part of their name or username. Upper and lower
 * case of the letters A to Z are the same. Exact matches come first, then names, usernames and
 * addresses that begin with the query, in alphabetical order, then the others, the oldest users
 * first. An empty query lists users in the given order. The limit is at most {@link MAX_USERS}.
 */
export async function searchUsers(
  env: Env,
  { query, list = 'newest', cursor, limit }: UserSearch,
): Promise<ListPage<User>> {
  const text = query.trim().slice(0, MAX_QUERY_LENGTH)
  const position = readCursor(cursor)
  const found = await requireStorage(() =>
    text === '' ? listUsers(env, list, position, limit) : findMatches(env, text, position, limit),
  )
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return {
    items: await requireStorage(() => withAccounts(env, rows)),
    ...(found.length > limit && last && { next_cursor: createCursor(last) }),
  }
}

interface UserSearch {
  query: string
  list?: UserList | undefined
  cursor?: string | undefined
  limit: number
}

/** Where a list continues: after this row, in this order. */
interface Position {
  order: 'exact' | UserList | NameOrder
  key: string
  rowid: number
}

/** A cursor that is not one of ours is treated like none: the list starts from the beginning. */
function readCursor(cursor: string | undefined): Position | undefined {
  // No text has an encoding of this length, and decoding it would throw.
  const isCutOff = (cursor?.length ?? 0) % 4 === 1
  if (cursor === undefined || isCutOff || !/^[\w-]+$/.test(cursor)) return undefined
  const parsed = parseJson(new TextDecoder().decode(base64url.decode(cursor)))
  if (!Array.isArray(parsed)) return undefined
  const [order, key, rowid] = parsed
  if (typeof order !== 'string' || typeof key !== 'string' || !Number.isSafeInteger(rowid)) {
    return undefined
  }
  return { order: order as Position['order'], key, rowid }
}

function createCursor({ order, key, rowid }: FoundRow): string {
  return base64url.encode(JSON.stringify([order, key ?? '', rowid]))
}

async function listUsers(
  env: Env,
  list: UserList,
  position: Position | undefined,
  limit: number,
): Promise<FoundRow[]> {
  const { key, rowid } = position?.order === list ? position : LISTS[list].start
  const { results } = await database(env)
    .prepare(LISTS[list].statement)
    .bind(key, rowid, limit + 1)
    .all<FoundRow>()
  return results
}

/**
 * The matches after a position, at least one more than the limit if there are as many. Each further
 * order is read only if those before do not fill the page: most users who are found by their
 * username are found by their name as well, and the search for a part reads every name.
 */
async function findMatches(
  env: Env,
  text: string,
  position: Position | undefined,
  limit: number,
): Promise<FoundRow[]> {
  const [, provider, accountId] = text.match(/^([^:]+):(.+)$/s) ?? []
  const findExact = database(env)
    .prepare(FIND_EXACT)
    .bind(
      text,
      normalizeEmail(text) ?? null,
      provider ?? null,
      accountId ?? null,
      MAX_EXACT_MATCHES,
    )
  // Exact matches are left out of the others, so more are read.
  const rowCount = limit + 1 + MAX_EXACT_MATCHES
  const orders = NAME_ORDERS.slice(Math.max(0, NAME_ORDERS.findIndex(isOrderOf(position))))
  const [first = 'name', ...others] = orders
  const findInOrder = (order: NameOrder) => findByName(env, text, { position, order, rowCount })
  const [exactMatches, firstMatches] = await database(env).batch<FoundRow>([
    findExact,
    findInOrder(first),
  ])
  const exactRows = exactMatches?.results.toSorted((a, b) => a.rowid - b.rowid) ?? []
  const isOther = ({ id }: FoundRow) => !exactRows.some((row) => row.id === id)
  const found = [
    ...exactRows.filter(({ rowid }) => isAfter(position, rowid)),
    ...(firstMatches?.results ?? []).filter(isOther),
  ]
  for (const order of others) {
    // A complete id or address is hardly a part of a name.
    if (found.length > limit || (order === 'part' && exactRows.length > 0)) break
    const { results } = await findInOrder(order).all<FoundRow>()
    found.push(...results.filter(isOther))
  }
  return found
}

/** The orders of the matches that are not exact. */
const NAME_ORDERS = ['name', 'username', 'email', 'part'] as const

type NameOrder = (typeof NAME_ORDERS)[number]

function isOrderOf(position: Position | undefined) {
  return (order: NameOrder) => order === position?.order
}

/** Whether an exact match comes after the position. All of them come before all others. */
function isAfter(position: Position | undefined, rowid: number): boolean {
  return position === undefined || (position.order === 'exact' && rowid > position.rowid)
}

function findByName(
  env: Env,
  text: string,
  {
    position,
    order,
    rowCount,
  }: { position: Position | undefined; order: NameOrder; rowCount: number },
): D1PreparedStatement {
  const after = position?.order === order ? position : { key: text, rowid: 0 }
  return database(env)
    .prepare(FIND_BY_NAME[order])
    .bind(text, text + LAST_CHARACTER, after.key, after.rowid, rowCount)
}

async function withAccounts(env: Env, rows: readonly FoundRow[]): Promise<User[]> {
  if (rows.length === 0) return []
  const { results } = await database(env)
    .prepare(
      `SELECT * FROM accounts WHERE user_id IN (${rows.map(() => '?').join()}) ORDER BY created_at, inserted_at`,
    )
    .bind(...rows.map(({ id }) => id))
    .all<AccountRow>()
  const accounts = Map.groupBy(results, ({ user_id }) => user_id)
  return rows.map((row) => toUser(row, accounts.get(row.id) ?? []))
}

/** What users are called, by their ids. */
export async function readUserNames(
  env: Env,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { results } = await requireStorage(() =>
    database(env)
      .prepare(
        'SELECT id, coalesce(name, username, email, id) AS name FROM users WHERE id IN (SELECT value FROM json_each(?))',
      )
      .bind(JSON.stringify(ids))
      .all<{ id: string; name: string }>(),
  )
  return new Map(results.map(({ id, name }) => [id, name]))
}

export function toUser(row: StoredUser, accounts: readonly AccountRow[]): User {
  const { url: _, ...record } = toUserRecord(row)
  const { blocked_at, block_reason, created_at, updated_at } = row
  return {
    ...record,
    ...(blocked_at !== null && { blocked_at }),
    ...(block_reason !== null && { block_reason }),
    created_at,
    updated_at,
    accounts: accounts.map(({ provider, issuer, provider_account_id, label }) => ({
      provider,
      issuer,
      account_id: provider_account_id,
      ...(label && { label }),
    })),
  }
}

interface FoundRow extends StoredUser {
  rowid: number
  order: Position['order']
  /** The value by which it is sorted, before the rowid. */
  key: string | number | null
}

/**
 * Sorts after every other character, so that a range of texts with the same beginning ends here.
 */
const LAST_CHARACTER = '\u{10FFFF}'

interface ListQuery {
  /** Before the first row. */
  start: Pick<Position, 'key' | 'rowid'>
  statement: string
}

const MAX_ROWID = Number.MAX_SAFE_INTEGER

/** The lists of users that an index sorts. Rowids increase with the time of creation. */
export const LISTS = {
  newest: {
    start: { key: '', rowid: MAX_ROWID },
    statement: `
  SELECT *, rowid, 'newest' AS "order", '' AS key FROM users
  WHERE rowid < ?2 AND ?1 IS NOT NULL ORDER BY rowid DESC LIMIT ?3`,
  },
  oldest: {
    start: { key: '', rowid: 0 },
    statement: `
  SELECT *, rowid, 'oldest' AS "order", '' AS key FROM users
  WHERE rowid > ?2 AND ?1 IS NOT NULL ORDER BY rowid LIMIT ?3`,
  },
  // The index has only users who have a name.
  name: {
    start: { key: '', rowid: 0 },
    statement: `
  SELECT *, rowid, 'name' AS "order", name AS key FROM users
  WHERE name COLLATE NOCASE >= ?1 AND (name COLLATE NOCASE > ?1 OR rowid > ?2)
  ORDER BY name COLLATE NOCASE, rowid LIMIT ?3`,
  },
  name_desc: {
    start: { key: LAST_CHARACTER, rowid: MAX_ROWID },
    statement: `
  SELECT *, rowid, 'name_desc' AS "order", name AS key FROM users
  WHERE name COLLATE NOCASE <= ?1 AND (name COLLATE NOCASE < ?1 OR rowid < ?2)
  ORDER BY name COLLATE NOCASE DESC, rowid DESC LIMIT ?3`,
  },
  blocked: {
    start: { key: String(MAX_ROWID), rowid: MAX_ROWID },
    statement: `
  SELECT *, rowid, 'blocked' AS "order", CAST(blocked_at AS TEXT) AS key FROM users
  WHERE blocked_at IS NOT NULL AND (blocked_at, rowid) < (CAST(?1 AS INTEGER), ?2)
  ORDER BY blocked_at DESC, rowid DESC LIMIT ?3`,
  },
} as const satisfies Record<string, ListQuery>

export type UserList = keyof typeof LISTS

export const USER_LISTS = Object.keys(LISTS) as [UserList, ...UserList[]]

export const FIND_EXACT = `
  SELECT *, rowid, 'exact' AS "order", '' AS key FROM users
  WHERE id = ?1 OR former_id = ?1 OR id IN (
    SELECT user_id FROM accounts WHERE verified_email = ?2
    UNION ALL SELECT user_id FROM accounts WHERE provider_account_id = ?1
    UNION ALL SELECT user_id FROM accounts WHERE provider_account_id = ?4 AND provider = ?3)
  LIMIT ?5`

/**
 * Finds by a name that begins with the text, then by such a username, then by such an address, then by
 * a part of a name or username.
 */
export const FIND_BY_NAME: Readonly<Record<NameOrder, string>> = {
  name: `
  SELECT *, rowid, 'name' AS "order", name AS key FROM users
  WHERE name COLLATE NOCASE >= ?3 AND name COLLATE NOCASE < ?2
    AND (name COLLATE NOCASE > ?3 OR rowid > ?4)
  ORDER BY name COLLATE NOCASE, rowid LIMIT ?5`,
  username: `
  SELECT *, rowid, 'username' AS "order", username AS key FROM users
  WHERE username COLLATE NOCASE >= ?3 AND username COLLATE NOCASE < ?2
    AND (username COLLATE NOCASE > ?3 OR rowid > ?4)
    AND NOT ${beginsWithText('name')}
  ORDER BY username COLLATE NOCASE, rowid LIMIT ?5`,
  // Several accounts of a user may have such an address; the first one counts.
  email: `
  SELECT users.*, users.rowid, 'email' AS "order", accounts.verified_email AS key
  FROM accounts INDEXED BY accounts_by_email CROSS JOIN users ON users.id = accounts.user_id
  WHERE accounts.verified_email >= ?3 AND accounts.verified_email < ?2
    AND (accounts.verified_email > ?3 OR users.rowid > ?4)
    AND NOT EXISTS (SELECT 1 FROM accounts AS other INDEXED BY accounts_by_user
      WHERE other.user_id = accounts.user_id AND other.verified_email >= ?1
        AND (other.verified_email, other.provider_account_id, other.provider, other.issuer)
          < (accounts.verified_email, accounts.provider_account_id, accounts.provider, accounts.issuer))
    AND NOT ${beginsWithText('name')} AND NOT ${beginsWithText('username')}
  ORDER BY accounts.verified_email, users.rowid LIMIT ?5`,
  // ?3 is not needed: the order is that of the rowid. Only the indexes are read, except for the matches.
  part: `
  SELECT *, rowid, 'part' AS "order", '' AS key FROM users
  WHERE rowid IN (
      SELECT rowid FROM users INDEXED BY users_by_name
        WHERE name IS NOT NULL AND instr(lower(name), lower(?1)) > 0
      UNION SELECT rowid FROM users INDEXED BY users_by_username
        WHERE username IS NOT NULL AND instr(lower(username), lower(?1)) > 0)
    AND rowid > ?4 AND ?3 IS NOT NULL
    AND NOT ${beginsWithText('name')} AND NOT ${beginsWithText('username')}
    AND NOT EXISTS (SELECT 1 FROM accounts INDEXED BY accounts_by_user
      WHERE user_id = users.id AND verified_email >= ?1 AND verified_email < ?2)
  ORDER BY rowid LIMIT ?5`,
}

function beginsWithText(column: 'name' | 'username'): string {
  return `coalesce(${column} COLLATE NOCASE >= ?1 AND ${column} COLLATE NOCASE < ?2, FALSE)`
}
