import { randomId } from '../../foundation/crypto/random.ts'
import { nowInSeconds, startOfHour } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { reportIfFull } from '../storage/full-database.ts'
import type { AuditEntry, AuditEvent } from './audit-entry.ts'

const MINUTE = 60 // seconds

/** More entries than one isolate writes in a minute. */
const DELETIONS_PER_MINUTE = 1000

/** About 1.5 GB of the 10 GB that a database may have: users need the rest. */
export const MAX_ENTRIES = 5_000_000

/** In base 36, they last until the year 5188. */
const TIME_DIGITS = 9

/** The minute of this isolate's last deletion, and the hour until which it counted entries. */
let prunedMinute = 0
let countedHour = 0

/** Longer than our ids. Some texts come from requests, which must not fill the table. */
const MAX_TEXT_LENGTH = 200 // characters

/** The statements that record an entry, for the batch with the change that it describes. */
export function auditStatements<Event extends string = AuditEvent>(
  env: Env,
  config: Config,
  entry: AuditEntry<NoInfer<Event>>,
): D1PreparedStatement[] {
  const record = database(env).prepare(`INSERT INTO ${ENTRY}`)
  return [record.bind(...entryValues(entry)), ...pruneEntries(env, config)]
}

/**
 * The same for a change that may find nothing to do: recorded if the statement before it in the
 * batch has changed a row.
 */
export function auditStatementsIfChanged<Event extends string = AuditEvent>(
  env: Env,
  config: Config,
  entry: AuditEntry<NoInfer<Event>>,
): D1PreparedStatement[] {
  const record = database(env).prepare(`INSERT INTO ${ENTRY} WHERE changes() > 0`)
  return [record.bind(...entryValues(entry)), ...pruneEntries(env, config)]
}

/** The values of an entry that is inserted now, as `ENTRY` binds them. */
export function entryValues(entry: AuditEntry<string>): (string | number | null)[] {
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
 * Deletes expired entries, and the oldest ones if there are more than {@link MAX_ENTRIES}, the first
 * time an isolate writes one in a minute, so that no clean-up job is needed.
 */
export function pruneEntries(env: Env, { auditRetention }: Config): D1PreparedStatement[] {
  const now = nowInSeconds()
  const minute = now - (now % MINUTE)
  if (minute === prunedMinute) return []
  prunedMinute = minute
  return [
    ...countEntries(env),
    database(env)
      .prepare(DELETE_ENTRIES)
      .bind(entryIdsAt(now - auditRetention), DELETIONS_PER_MINUTE, MAX_ENTRIES),
    database(env).prepare(DELETE_FIRST_MARK),
  ]
}

/** Counts the entries of the hours before this one, unless another isolate has done so. */
function countEntries(env: Env): D1PreparedStatement[] {
  const hour = currentHour()
  if (hour === countedHour) return []
  countedHour = hour
  return [database(env).prepare(INSERT_MARK).bind(entryIdsAt(hour))]
}

/**
 * Runs statements of a sign-in together with those that record it. If the database is full, the
 * oldest entries are deleted. If that is not enough, the sign-in is not recorded, but succeeds.
 */
export async function runRecorded<Row>(
  env: Env,
  statements: readonly D1PreparedStatement[],
  record: readonly D1PreparedStatement[],
): Promise<D1Result<Row>[]> {
  const runAll = () => database(env).batch<Row>([...statements, ...record])
  try {
    return await runAll()
  } catch (error) {
    if (!reportIfFull(env, error)) throw error
  }
  await database(env).prepare(DELETE_OLDEST).bind(DELETIONS_PER_MINUTE).run()
  try {
    return await runAll()
  } catch (error) {
    if (!reportIfFull(env, error)) throw error
  }
  if (statements.length === 0) return []
  return database(env).batch<Row>([...statements])
}

/** Records an entry that describes no change to the database. */
export async function recordAuditEntry<Event extends string = AuditEvent>(
  env: Env,
  config: Config,
  entry: AuditEntry<NoInfer<Event>>,
): Promise<void> {
  await database(env).batch(auditStatements<Event>(env, config, entry))
}

/** The beginning of the current hour. */
export function currentHour(): number {
  return startOfHour(nowInSeconds())
}

/** Ids sort by time. */
export function entryId(): string {
  return randomId(timePrefix(Date.now()))
}

/** Sorts after the ids of entries from before this time, and before those of later entries. */
export function entryIdsAt(seconds: number): string {
  return timePrefix(Math.max(0, Math.floor(seconds * 1000)))
}

/** When an entry with this id was written, in seconds since 1970. */
export function entryTime(id: string): number {
  return Number.parseInt(id.slice(0, TIME_DIGITS), 36) / 1000
}

function timePrefix(milliseconds: number): string {
  return milliseconds.toString(36).padStart(TIME_DIGITS, '0')
}

/** What is inserted to record an entry. A condition may follow. */
export const ENTRY = `
  audit (id, at, event, outcome, actor, subject, client, provider, network, request_id, detail)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11`

/*
 * A mark has the number of entries that were ever written before it. Nothing is left from before the
 * first mark, so the difference between the first and the last one is the number of entries.
 */

const SECOND_MARK = '(SELECT id, total FROM audit_marks ORDER BY id LIMIT 1 OFFSET 1)'
const LAST_MARK = '(SELECT id, total FROM audit_marks ORDER BY id DESC LIMIT 1)'

/** Reads each entry once, however many isolates there are. */
const INSERT_MARK = `
  INSERT INTO audit_marks (id, total)
  SELECT ?1, last.total + (SELECT count(*) FROM audit WHERE id >= last.id AND id < ?1)
  FROM ${LAST_MARK} AS last WHERE last.id < ?1`

/** The ids sort by time, so this reads only what it deletes. */
const DELETE_ENTRIES = `
  DELETE FROM audit WHERE id IN (SELECT id FROM audit
    WHERE id < max(?1, coalesce((SELECT second.id FROM ${SECOND_MARK} AS second, ${LAST_MARK} AS last
      WHERE last.total - second.total >= ?3), ''))
    ORDER BY id LIMIT ?2)`

/** Once all entries before the second mark have been deleted. */
const DELETE_FIRST_MARK = `
  DELETE FROM audit_marks WHERE id = (SELECT id FROM audit_marks ORDER BY id LIMIT 1)
    AND (SELECT min(id) FROM audit) >= (SELECT id FROM ${SECOND_MARK})`

const DELETE_OLDEST = `
  DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT ?1)`
