/** What D1 and SQLite report when a statement needs more space than the database may have. */
const FULL = /maximum DB size|database or disk is full|SQLITE_FULL/i

/** For how long `/readyz` reports a write that failed. */
const REPORTED_FOR = 300_000 // milliseconds

/** When a write of this isolate last failed, in milliseconds since 1970. */
const failures = new WeakMap<Env, number>()

/** Whether a write failed because the database is full. Reports it in the log and in `/readyz`. */
export function reportIfFull(env: Env, error: unknown): boolean {
  if (!(error instanceof Error) || !FULL.test(error.message)) return false
  failures.set(env, Date.now())
  console.error(JSON.stringify({ event: 'database_full', cause: String(error) }))
  return true
}

/** Whether a write of this isolate failed recently because the database is full. */
export function wasRecentlyFull(env: Env): boolean {
  return Date.now() - (failures.get(env) ?? Number.NEGATIVE_INFINITY) < REPORTED_FOR
}
