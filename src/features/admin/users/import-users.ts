import type { AuditOrigin } from '../../../core/audit/audit-entry.ts'
import { auditStatements } from '../../../core/audit/audit-log.ts'
import type { Config } from '../../../core/config/config.ts'
import { database } from '../../../core/storage/database.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import type { AdminEvent } from '../audit-sentences.ts'
import {
  createLineSchema,
  findChangedFields,
  findUnusedFields,
  type ImportedAccount,
  parseLine,
} from './import-line.ts'

/** A call takes well under a second, and a request with this many lines is small enough. */
export const MAX_IMPORTED_LINES = 1000

/** A line has at most 8 KB, and D1 accepts values of 2 MB. */
const LINES_PER_STATEMENT = 200

interface ImportResult {
  imported: number
  /** Accounts that were already stored, or are listed twice. They are not changed. */
  existing: number
  /** Lines that were not imported. The first line is line 1. */
  problems: { line: number; problem: string }[]
  /** The fields of each line that are not stored. */
  unusedFields: { line: number; fields: string[] }[]
  /** Those of imported lines that are stored shortened, or not at all, because of their value. */
  changedFields: { line: number; fields: string[] }[]
  /** The ids of users whose lines have a `former_id`, also of those imported earlier. */
  ids: { formerId: string; id: string }[]
}

/**
 * Imports users of another service with their accounts at a provider: `{ provider,
 * provider_account_id, former_id, name, username, picture or image, url, issuer, union_id,
 * created_at, blocked }`, and the fields of features, of which the first two are required. The first sign-in with an imported
 * account leads to the imported user. Importing the same lines again changes nothing.
 *
 * Every line creates a user or nothing: an account that is added to an existing user could sign in
 * as that user. A blocked account of an existing user therefore becomes a blocked user of its own. The caller's `email` and `union_id` are not stored, because later sign-ins with
 * other accounts would be matched with them; the first sign-in stores what the provider sends.
 * Accounts with the same `former_id` or `union_id` in one call share one new user.
 */
export async function importUsers(
  env: Env,
  config: Config,
  { lines, origin }: { lines: readonly unknown[]; origin: AuditOrigin },
): Promise<ImportResult> {
  const schema = createLineSchema(config)
  const problems: ImportResult['problems'] = []
  const parsed: ImportedAccount[] = []
  for (const [index, line] of lines.entries()) {
    const result = parseLine(config, schema, { line, number: index + 1 })
    if (typeof result === 'string') problems.push({ line: index + 1, problem: result })
    else parsed.push(result)
  }
  const checked = await requireStorage(() => findConflicts(env, config, parsed))
  const accounts: ImportedAccount[] = []
  for (const group of groupByUser(checked)) {
    for (const account of group) {
      const result = assignUser(account, group)
      if (typeof result === 'string') problems.push({ line: account.line, problem: result })
      else accounts.push(result)
    }
  }
  problems.sort((a, b) => a.line - b.line)
  const unusedFields = lines.flatMap((line, index) => {
    const fields = findUnusedFields(schema, line)
    return fields.length > 0 ? [{ line: index + 1, fields }] : []
  })
  const changedFields = accounts.flatMap((account) => {
    const fields = findChangedFields(lines[account.line - 1], account)
    return fields.length > 0 ? [{ line: account.line, fields }] : []
  })
  const reported = { problems, unusedFields, changedFields }
  if (accounts.length === 0) return { imported: 0, existing: 0, ...reported, ids: [] }
  const { imported, ids } = await requireStorage(() => storeAccounts(env, config, accounts, origin))
  return { imported, existing: accounts.length - imported, ...reported, ids }
}

interface CheckedAccount extends ImportedAccount {
  /** The account is already stored. */
  isStored: boolean
  /** A user has signed in with an account that has the same `union_id`. */
  isUnionIdStored: boolean
  /** A user with the same `former_id` was imported earlier. */
  isFormerIdStored: boolean
  isAdministrator: boolean
}

/** Adds what the database has about each account. */
async function findConflicts(
  env: Env,
  { administrators }: Config,
  accounts: readonly ImportedAccount[],
): Promise<CheckedAccount[]> {
  if (accounts.length === 0) return []
  const chunks = toChunks(accounts)
  const results = await database(env).batch<ConflictRow>(
    chunks.map((chunk) =>
      database(env).prepare(FIND_CONFLICTS).bind(chunk, JSON.stringify(administrators)),
    ),
  )
  const rows = new Map(results.flatMap(({ results }) => results.map((row) => [row.line, row])))
  return accounts.map((account) => {
    const row = rows.get(account.line)
    return {
      ...account,
      isStored: row?.is_stored === 1,
      isUnionIdStored: row?.is_union_id_stored === 1,
      isFormerIdStored: row?.is_former_id_stored === 1,
      isAdministrator: row?.is_administrator === 1,
    }
  })
}

/**
 * Accounts of one user in the other service belong to one user, and so do ids of one user in several
 * apps of the same developer.
 */
function groupByUser(accounts: readonly CheckedAccount[]): Iterable<CheckedAccount[]> {
  const groups = Map.groupBy(accounts, ({ former_id, provider, issuer, union_id, line }) => {
    if (former_id !== null) return JSON.stringify([former_id])
    return JSON.stringify(union_id === null ? line : [provider, issuer, union_id])
  })
  return groups.values()
}

/**
 * Gives an account the user and the block of its group. Returns what is wrong, as a sentence, if it
 * is not imported.
 */
function assignUser(
  account: CheckedAccount,
  group: readonly CheckedAccount[],
): ImportedAccount | string {
  const problem = findProblem(account, group)
  if (problem === OF_EXISTING_USER && account.blocked_at !== null) {
    return { ...account, former_id: null }
  }
  if (problem) return problem
  return {
    ...account,
    user_id: group[0]?.user_id ?? account.user_id,
    blocked_at: group.find(({ blocked_at }) => blocked_at !== null)?.blocked_at ?? null,
    roles: group.find(({ roles }) => roles !== null)?.roles ?? null,
  }
}

const OF_EXISTING_USER =
  'The account belongs to an existing user, who can link it after signing in.'

/** Why an account that shares a user with those of its group is not imported. */
function findProblem(
  account: CheckedAccount,
  group: readonly CheckedAccount[],
): string | undefined {
  if (account.isStored) return undefined
  const { isUnionIdStored, isFormerIdStored } = account
  if (isUnionIdStored || isFormerIdStored || group.some(({ isStored }) => isStored)) {
    return OF_EXISTING_USER
  }
  const isShared = group.some(
    (other) =>
      other.provider !== account.provider ||
      other.provider_account_id !== account.provider_account_id,
  )
  return isShared && group.some(({ isAdministrator }) => isAdministrator)
    ? 'The account of an administrator cannot share its user with other accounts.'
    : undefined
}

/**
 * Stores the accounts that do not exist yet in one transaction. Returns their number, and the ids of
 * users with a former one.
 */
async function storeAccounts(
  env: Env,
  config: Config,
  accounts: readonly ImportedAccount[],
  origin: AuditOrigin,
): Promise<Pick<ImportResult, 'imported' | 'ids'>> {
  const chunks = toChunks(accounts)
  const results = await database(env).batch<{ formerId: string; id: string }>([
    ...chunks.map((chunk) => database(env).prepare(INSERT_ACCOUNTS).bind(chunk)),
    ...chunks.map((chunk) => database(env).prepare(INSERT_USERS).bind(chunk)),
    ...chunks.map((chunk) => database(env).prepare(FIND_IDS).bind(chunk)),
    ...auditStatements<AdminEvent>(env, config, {
      ...origin,
      event: 'users_imported',
      detail: `${accounts.length} lines`,
    }),
  ])
  const { length } = chunks
  return {
    imported: results.slice(0, length).reduce((sum, { meta }) => sum + meta.changes, 0),
    ids: results.slice(2 * length, 3 * length).flatMap(({ results: rows }) => rows),
  }
}

/** Accounts as JSON, as many as one statement accepts. */
function toChunks(accounts: readonly ImportedAccount[]): string[] {
  const chunks = []
  for (let start = 0; start < accounts.length; start += LINES_PER_STATEMENT) {
    chunks.push(JSON.stringify(accounts.slice(start, start + LINES_PER_STATEMENT)))
  }
  return chunks
}

type ConflictRow = Record<
  'line' | 'is_stored' | 'is_union_id_stored' | 'is_former_id_stored' | 'is_administrator',
  number
>

const FIND_CONFLICTS = `
  SELECT value ->> 'line' AS line,
    EXISTS (SELECT 1 FROM accounts WHERE provider = value ->> 'provider'
      AND issuer = value ->> 'issuer'
      AND provider_account_id = value ->> 'provider_account_id') AS is_stored,
    EXISTS (SELECT 1 FROM accounts WHERE provider = value ->> 'provider'
      AND issuer = value ->> 'issuer' AND union_id = value ->> 'union_id') AS is_union_id_stored,
    EXISTS (SELECT 1 FROM users WHERE former_id = value ->> 'former_id') AS is_former_id_stored,
    (value ->> 'provider') || ':' || (value ->> 'provider_account_id') IN (
      SELECT name FROM administrators UNION ALL SELECT value FROM json_each(?2)) AS is_administrator
  FROM json_each(?1)`

const INSERT_ACCOUNTS = `
  INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, label, created_at,
    updated_at)
  SELECT value ->> 'provider', value ->> 'issuer', value ->> 'provider_account_id',
    value ->> 'user_id', value ->> 'client_id', value ->> 'label', value ->> 'created_at',
    value ->> 'created_at'
  FROM json_each(?1)
  WHERE TRUE
  ON CONFLICT (provider, issuer, provider_account_id) DO NOTHING`

/** Only for accounts that were inserted, which have the user id of their line. */
const INSERT_USERS = `
  INSERT INTO users (id, name, username, image, url, created_at, updated_at, blocked_at, former_id,
    roles)
  SELECT value ->> 'user_id', value ->> 'name', value ->> 'username', value ->> 'image',
    value ->> 'url', value ->> 'created_at', value ->> 'created_at', value ->> 'blocked_at',
    value ->> 'former_id', value ->> 'roles'
  FROM json_each(?1)
  JOIN accounts ON provider = value ->> 'provider' AND issuer = value ->> 'issuer'
    AND provider_account_id = value ->> 'provider_account_id' AND user_id = value ->> 'user_id'
  WHERE TRUE
  ON CONFLICT (id) DO NOTHING`

const FIND_IDS = `
  SELECT DISTINCT users.former_id AS formerId, users.id
  FROM json_each(?1) JOIN users ON users.former_id = value ->> 'former_id'`
