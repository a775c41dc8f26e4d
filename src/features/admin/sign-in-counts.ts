import { entryIdsAt } from '../../core/audit/audit-log.ts'
import { database } from '../../core/storage/database.ts'

/** The sign-ins to a client through a provider with one outcome, in a part of a period. */
export interface SignInTotal {
  /** Which part of the period it is, from 0. */
  part: number
  /** Empty if it is unknown. */
  provider: string
  /** Empty if the user did not come from one. */
  client: string
  /** `ok`, or an error code. */
  outcome: string
  count: number
  newUsers: number
}

/**
 * How many sign-ins there were in each part of this length, in seconds, since an hour: to one client,
 * or to all.
 */
export async function readSignInTotals(
  env: Env,
  { since, length, client }: { since: number; length: number; client?: string },
): Promise<SignInTotal[]> {
  const { results } = await database(env)
    .prepare(
      `SELECT CAST((hour - ?1) / ?2 AS INTEGER) AS part, provider, client, outcome, sum(count) AS count, sum(new_users) AS newUsers
       FROM counters WHERE hour >= ?1 AND client = coalesce(?3, client)
       GROUP BY part, provider, client, outcome`,
    )
    .bind(since, length, client ?? null)
    .all<SignInTotal>()
  return results
}

/** More sign-ins than a user has, of which the newest are read: the index has one row for each. */
const MAX_SIGN_INS_READ = 5000

const SIGN_INS_OF_SUBJECT = `
  (SELECT at, outcome, provider FROM audit WHERE subject = ?1 AND event = 'sign_in' AND id >= ?2
   ORDER BY id DESC LIMIT ${MAX_SIGN_INS_READ})`

/** Time zones differ from UTC by multiples of it. */
const QUARTER = 900 // seconds

/** The sign-ins of a user in a quarter of an hour. */
export interface QuarterCount {
  /** The beginning of the quarter. */
  at: number
  succeeded: number
  failed: number
}

/** How often a user signed in, or tried to while being known, since this time. */
export async function readSignInsOf(
  env: Env,
  { userId, since }: { userId: string; since: number },
): Promise<QuarterCount[]> {
  const { results } = await database(env)
    .prepare(
      `SELECT at - at % ${QUARTER} AS at, sum(outcome = 'ok') AS succeeded, sum(outcome <> 'ok') AS failed
       FROM ${SIGN_INS_OF_SUBJECT} GROUP BY 1`,
    )
    .bind(userId, entryIdsAt(since))
    .all<QuarterCount>()
  return results
}

/** When a user last signed in with each provider, as far as the audit log goes back. */
export async function readLastSignIns(env: Env, userId: string): Promise<Map<string, number>> {
  const { results } = await database(env)
    .prepare(
      `SELECT provider, max(at) AS at FROM ${SIGN_INS_OF_SUBJECT}
       WHERE outcome = 'ok' AND provider IS NOT NULL GROUP BY provider`,
    )
    .bind(userId, '')
    .all<{ provider: string; at: number }>()
  return new Map(results.map(({ provider, at }) => [provider, at]))
}
