/** What D1 and SQLite report when a statement needs more space than the database may have. */
const FULL = /maximum DB size|database or disk is full|SQLITE_FULL/i

/** For how long `/readyz` reports a write that failed. */
const REPORTED_FOR = 300_000 // milliseconds

/** When a write of this isolate last failed, in milliseconds since 1970. */
let lastFailure = Number.NEGATIVE_INFINITY

/** Whether a write failed because the database is full. Reports it in the log and in `/readyz`. */
export function reportIfFull(error: unknown): boolean {
  if (!(error instanceof Error) || !FULL.test(error.message)) return false
  lastFailure = Date.now()
  console.error(JSON.stringify({ event: 'database_full', cause: String(error) }))
  return true
}

/** Whether a write of this isolate failed recently because the database is full. */
export function wasRecentlyFull(): boolean {
  return Date.now() - lastFailure < REPORTED_FOR
}
