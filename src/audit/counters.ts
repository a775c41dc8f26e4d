import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { nowInSeconds } from '../values/clock.ts'

const HOUR = 3600 // seconds

/** More than the combinations of provider, client and outcome that one hour usually has. */
const DELETIONS_PER_HOUR = 1000

/** The hour of this isolate's last deletion. */
let prunedHour = 0

/** The beginning of the current hour. */
export function currentHour(): number {
  const now = nowInSeconds()
  return now - (now % HOUR)
}

/**
 * Deletes expired counters, the first time an isolate writes one in an hour. At other times there
 * is nothing to do.
 */
export function pruneCounters(env: Env, { auditRetention }: Config): D1PreparedStatement[] {
  const hour = currentHour()
  if (hour === prunedHour) return []
  prunedHour = hour
  return [
    database(env)
      .prepare(DELETE_EXPIRED)
      .bind(hour - auditRetention, DELETIONS_PER_HOUR),
  ]
}

const DELETE_EXPIRED = `
  DELETE FROM counters WHERE (hour, event, provider, client, outcome) IN (
    SELECT hour, event, provider, client, outcome FROM counters WHERE hour < ?1 ORDER BY hour LIMIT ?2)`
