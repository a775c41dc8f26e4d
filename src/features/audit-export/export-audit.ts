import { readEntriesBetween } from '../../administration/read-audit.ts'
import { entryIdsAt, entryTime } from '../../core/audit/audit-log.ts'
import { database } from '../../core/storage/database.ts'
import { nowInSeconds, startOfHour } from '../../foundation/values/clock.ts'

const HOUR = 3600 // seconds

/** Longer than an entry of the hour before may take to be written. */
const SETTLING_TIME = 300 // seconds

/** How many entries are in memory at once, before they are compressed. */
const PAGE_LENGTH = 1000

/** The next run begins a minute after this one. */
const MAX_DURATION = 45_000 // milliseconds

/** The bucket that the audit log is copied to. */
function auditBucket(env: Env): R2Bucket {
  return (env as Env & { AUDIT: R2Bucket }).AUDIT
}

/**
 * Copies the entries of each hour that has ended to the bucket, one object per hour. If a run
 * crashes, the next one writes the same object again.
 */
export async function exportAudit(env: Env): Promise<void> {
  const bucket = auditBucket(env)
  const endsAt = Date.now() + MAX_DURATION
  while (Date.now() < endsAt) {
    const hour = await nextHour(env)
    if (hour === undefined) return
    await bucket.put(objectName(hour), await compressEntries(env, hour), {
      httpMetadata: { contentType: 'application/x-ndjson', contentEncoding: 'gzip' },
    })
    await storeExported(env, hour + HOUR)
  }
}

/** Whether an hour that ended so many seconds ago has entries that were not copied. */
export async function isExportLate(env: Env, seconds: number): Promise<boolean> {
  const hour = await nextHour(env)
  return hour !== undefined && hour + HOUR < nowInSeconds() - seconds
}

/** The first hour with entries that were not copied, if it has ended. */
async function nextHour(env: Env): Promise<number | undefined> {
  const exportedUntil = await database(env)
    .prepare('SELECT max(exported_until) AS time FROM audit_export')
    .first<number>('time')
  const [first] = await readEntriesBetween(env, {
    after: entryIdsAt(exportedUntil ?? 0),
    before: entryIdsAt(startOfHour(nowInSeconds() - SETTLING_TIME)),
    limit: 1,
  })
  return first && startOfHour(entryTime(first.id))
}

async function storeExported(env: Env, exportedUntil: number): Promise<void> {
  await database(env).batch([
    database(env).prepare('DELETE FROM audit_export'),
    database(env)
      .prepare('INSERT INTO audit_export (exported_until) VALUES (?)')
      .bind(exportedUntil),
  ])
}

/** One line of JSON per entry, compressed: a bucket needs to know the length of an object. */
async function compressEntries(env: Env, hour: number): Promise<ArrayBuffer> {
  const { readable, writable } = new CompressionStream('gzip')
  const [compressed] = await Promise.all([
    new Response(readable).arrayBuffer(),
    writeEntries(env, hour, writable),
  ])
  return compressed
}

async function writeEntries(
  env: Env,
  hour: number,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter()
  try {
    const before = entryIdsAt(hour + HOUR)
    let after = entryIdsAt(hour)
    for (;;) {
      const entries = await readEntriesBetween(env, { after, before, limit: PAGE_LENGTH })
      const last = entries.at(-1)
      if (!last) break
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      await writer.write(new TextEncoder().encode(lines))
      after = last.id
    }
    await writer.close()
  } catch (error) {
    // The reader fails, too, instead of waiting for more.
    await writer.abort(error)
    throw error
  }
}

/** `audit/2026/11/17/06.ndjson.gz` for the hour that begins at 06:00 UTC. */
function objectName(hour: number): string {
  const [date = '', time = ''] = new Date(hour * 1000).toISOString().split('T')
  return `audit/${date.replaceAll('-', '/')}/${time.slice(0, 2)}.ndjson.gz`
}
