import type { Config } from '../config/config.ts'
import { randomId } from '../crypto/random.ts'
import { database } from '../storage/database.ts'
import { nowInSeconds } from '../values/clock.ts'
import type { AuditEntry } from './audit-entry.ts'

const MINUTE = 60 // seconds
const HOUR = 60 * MINUTE

/** More entries than one isolate writes in a minute. */
const DELETIONS_PER_MINUTE = 1000

/** The minute of this isolate's last deletion. */
let prunedMinute = 0

/** Longer than our ids. Some texts come from requests, which must not fill the table. */
const MAX_TEXT_LENGTH = 200 // characters

/** The statements that record an entry, for the batch with the change that it describes. */
export function auditStatements(
  env: Env,
  config: Config,
  entry: AuditEntry,
): D1PreparedStatement[] {
  const record = database(env).prepare(`INSERT INTO ${ENTRY}`)
  return [record.bind(...entryValues(entry)), ...pruneEntries(env, config)]
}

/** The values of an entry that is inserted now, as `ENTRY` binds them. */
export function entryValues(entry: AuditEntry): (string | number | null)[] {
  return [
    entryId(),
    nowInSeconds(),
    entry.event,
    truncate(entry.outcome) ?? 'ok',
    truncate(entry.actor),
    truncate(entry.subject),
    truncate(entry.client),
    truncate(entry.provider),
    truncate(entry.network),
    truncate(entry.requestId),
    truncate(entry.detail),
  ]
}

function truncate(text: string | undefined): string | null {
  return text?.slice(0, MAX_TEXT_LENGTH).toWellFormed() ?? null
}

/**
 * Deletes expired entries, the first time an isolate writes one in a minute, so that no clean-up
 * job is needed.
 */
export function pruneEntries(env: Env, { auditRetention }: Config): D1PreparedStatement[] {
  const now = nowInSeconds()
  const minute = now - (now % MINUTE)
  if (minute === prunedMinute) return []
  prunedMinute = minute
  const deletion = database(env).prepare(DELETE_EXPIRED)
  return [deletion.bind(entryIdsAt(now - auditRetention), DELETIONS_PER_MINUTE)]
}

/** Records an entry that describes no change to the database. */
export async function recordAuditEntry(env: Env, config: Config, entry: AuditEntry): Promise<void> {
  await database(env).batch(auditStatements(env, config, entry))
}

/**
 * Records a denied attempt to administrate, the first one of an actor in each hour: users and
 * clients can repeat it at will.
 */
export async function recordDenial(
  env: Env,
  config: Config,
  entry: AuditEntry & { event: 'admin_denied' },
): Promise<void> {
  const record = database(env).prepare(INSERT_FIRST_DENIAL)
  await database(env).batch([
    record.bind(...entryValues(entry), entryIdsAt(currentHour())),
    ...pruneEntries(env, config),
  ])
}

/** The beginning of the current hour. */
export function currentHour(): number {
  const now = nowInSeconds()
  return now - (now % HOUR)
}

/** Ids sort by time: nine digits in base 36 last until the year 5188. */
export function entryId(): string {
  return randomId(timePrefix(Date.now()))
}

/** Sorts after the ids of entries from before this time, and before those of later entries. */
export function entryIdsAt(seconds: number): string {
  return timePrefix(Math.max(0, Math.floor(seconds * 1000)))
}

function timePrefix(milliseconds: number): string {
  return milliseconds.toString(36).padStart(9, '0')
}

/** What is inserted to record an entry. A condition may follow. */
export const ENTRY = `
  audit (id, at, event, outcome, actor, subject, client, provider, network, request_id, detail)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11`

/** The index has no sign-ins; the condition lets it be used. */
const INSERT_FIRST_DENIAL = `
  INSERT INTO ${ENTRY} WHERE NOT EXISTS (SELECT 1 FROM audit
    WHERE event = ?3 AND event <> 'sign_in' AND id >= ?12 AND actor = ?5)`

/** The ids sort by time, so this reads only what it deletes. */
const DELETE_EXPIRED = `
  DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id < ?1 ORDER BY id LIMIT ?2)`
