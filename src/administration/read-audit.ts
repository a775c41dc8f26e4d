import { FAILED, type RecordedEntry } from '../core/audit/audit-entry.ts'
import { entryIdsAt } from '../core/audit/audit-log.ts'
import { type AuditRow, toEntry } from '../core/audit/audit-rows.ts'
import { database } from '../core/storage/database.ts'
import { parseNetwork } from '../foundation/values/ip-network.ts'
import { parseReference, referencePeriod } from '../foundation/values/reference.ts'

/** The columns by which entries are selected. */
export const AUDIT_FILTERS = [
  'event',
  'outcome',
  'actor',
  'subject',
  'client',
  'provider',
  'network',
  'request_id',
] as const

export type AuditFilter = (typeof AUDIT_FILTERS)[number]

/** What to list. Times are in seconds since 1970. */
interface AuditQuery extends Partial<Record<AuditFilter, string | undefined>> {
  /** Selects changes by administrators, which have these events. */
  changes?: readonly string[] | undefined
  since?: number | undefined
  /** Not included. */
  until?: number | undefined
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined
  limit: number
}

/** The entries that match, the newest first. */
export async function listAuditEntries(
  env: Env,
  query: AuditQuery,
): Promise<{ entries: RecordedEntry[]; nextCursor?: string }> {
  const { changes, since, until, cursor, limit } = query
  const conditions: Condition[] = [
    ...AUDIT_FILTERS.flatMap((name) => selectBy(name, query[name])),
    ['id >= ?', since === undefined ? undefined : entryIdsAt(since)],
    ['id < ?', until === undefined ? undefined : entryIdsAt(until)],
    ['id < ?', cursor],
  ]
  const given = conditions.filter(([, value]) => value !== undefined)
  const values = given.map(([, value]) => value)
  const texts = given.map(([text]) => text)
  const where = texts.length > 0 ? `WHERE ${texts.join(' AND ')}` : ''
  const { results } = await (changes
    ? database(env)
        .prepare(selectChanges(texts))
        .bind(JSON.stringify(changes), ...values, limit + 1, limit + 1)
    : database(env)
        .prepare(`SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`)
        .bind(...values, limit + 1)
  ).all<AuditRow>()
  const rows = results.slice(0, limit)
  const nextCursor = results.length > limit ? rows.at(-1)?.id : undefined
  return { entries: rows.map(toEntry), ...(nextCursor !== undefined && { nextCursor }) }
}

/**
 * The newest entries of each event, by the index, of which the newest are selected. Users change
 * themselves, and the service rotates keys.
 */
function selectChanges(conditions: readonly string[]): string {
  const all = ["event = change.value AND event <> 'sign_in'", ...CHANGE_CONDITIONS, ...conditions]
  return `
    SELECT audit.* FROM json_each(?) AS change CROSS JOIN audit
    WHERE audit.id IN
      (SELECT id FROM audit WHERE ${all.join(' AND ')} ORDER BY id DESC LIMIT ?)
    ORDER BY audit.id DESC LIMIT ?`
}

const CHANGE_CONDITIONS = ['actor IS NOT subject', "actor <> 'service'"]

/** A condition applies if it has a value. */
type Condition = [condition: string, value: string | undefined]

function selectBy(name: AuditFilter, value: string | undefined): Condition[] {
  if (value === undefined) return []
  if (name === 'network') return [['network = ?', parseNetwork(value) ?? value]]
  if (name === 'outcome' && value === FAILED) return [['outcome <> ?', 'ok']]
  if (name === 'request_id') return selectByReference(value)
  // The index has no sign-ins, which are most of the entries; the condition lets it be used.
  const isIndexed = name === 'event' && value !== 'sign_in'
  return [[isIndexed ? "event = ? AND event <> 'sign_in'" : `${name} = ?`, value]]
}

/** References have no index, which would cost a row per entry. Ids sort by time. */
function selectByReference(text: string): Condition[] {
  const reference = parseReference(text)
  // No request has it, so no entry needs to be read.
  if (!reference) return [['id < ?', '']]
  const period = referencePeriod(reference)
  return [
    ['request_id = ?', reference],
    ['id >= ?', period && entryIdsAt(period.since)],
    ['id < ?', period && entryIdsAt(period.until)],
  ]
}

/** Entries with ids after one and before another, the oldest first. */
export async function readEntriesBetween(
  env: Env,
  { after, before, limit }: { after: string; before: string; limit: number },
): Promise<RecordedEntry[]> {
  const { results } = await database(env)
    .prepare('SELECT * FROM audit WHERE id > ? AND id < ? ORDER BY id LIMIT ?')
    .bind(after, before, limit)
    .all<AuditRow>()
  return results.map(toEntry)
}

/**
 * The number of entries at the beginning of the last hour with a new one, and the size of the whole
 * database.
 */
export async function readAuditSize(env: Env): Promise<{ entries: number; databaseBytes: number }> {
  const { results, meta } = await database(env)
    .prepare(
      `SELECT (SELECT total FROM audit_marks ORDER BY id DESC LIMIT 1)
       - (SELECT total FROM audit_marks ORDER BY id LIMIT 1) AS entries`,
    )
    .all<{ entries: number | null }>()
  return { entries: results[0]?.entries ?? 0, databaseBytes: meta.size_after }
}

/** How many sign-ins there were in each hour, the oldest first. */
export async function readHourlyCounts(
  env: Env,
  { since }: { since: number },
): Promise<HourlyCount[]> {
  const { results } = await database(env)
    .prepare('SELECT * FROM counters WHERE hour >= ? ORDER BY hour, provider, client, outcome')
    .bind(since)
    .all<HourlyCount>()
  return results
}

/** `provider` and `client` are empty if they are unknown. */
export interface HourlyCount {
  hour: number
  provider: string
  client: string
  /** `ok`, or an error code. */
  outcome: string
  count: number
  /** How many of them created a user. */
  new_users: number
}
