import { withDeadline } from '../fetch/deadline.ts'
import { TABLES } from './database.ts'

/**
 * Storage did not respond, so nothing was decided or issued. Users get the error `unavailable`,
 * clients `temporarily_unavailable`; both may try again.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'

  /** For the log: what to do, if waiting does not help. */
  get hint(): string | undefined {
    return missingSchemaHint(this.cause)
  }
}

/** What D1 reports when a statement is newer than the schema of the database. */
const MISSING_SCHEMA = /D1_ERROR: (?:no such (?:table|column)|.*has no column named)/

/** Whether a request failed because the migrations of this version were not applied. */
export function isMissingMigration(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return MISSING_SCHEMA.test(error.message) || isMissingMigration(error.cause)
}

/** What to do if a statement is newer than the database, for which D1 names the missing table. */
function missingSchemaHint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (!MISSING_SCHEMA.test(error.message)) return missingSchemaHint(error.cause)
  const [, table] = /(?:no such table: |table )(\w+)/.exec(error.message) ?? []
  if (table === undefined || TABLES.some((name) => name === table)) {
    return 'migrations were not applied: npm run migrate'
  }
  return `the table ${table} of a feature of your own is missing or outdated: apply the migration of that feature`
}

/**
 * Longer than storage takes that works, also for the largest changes, and shorter than clients and
 * people wait.
 */
const DEADLINE = 10_000 // milliseconds

/** Waits for storage, which may not respond at all. What it was asked to do may be done later. */
export function withStorageDeadline<Result>(work: Result): Promise<Awaited<Result>> {
  return withDeadline(
    work,
    DEADLINE,
    () => new Error(`There was no response within ${DEADLINE / 1000} seconds.`),
  )
}

/** Waits for storage. If it fails, the request fails too: nothing is issued without its answer. */
export async function requireStorage<Result>(
  call: () => Result,
  message = 'Storage did not respond.',
): Promise<Awaited<Result>> {
  try {
    return await withStorageDeadline(call())
  } catch (cause) {
    throw new UnavailableError(message, { cause })
  }
}
