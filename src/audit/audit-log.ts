import { nowInSeconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { randomId } from '../crypto/random.ts'
import { database } from '../database.ts'
import type { AuditEntry } from './audit-entry.ts'

/** With each new entry, up to this many expired ones are deleted, so that no clean-up job is needed. */
const DELETIONS_PER_ENTRY = 2

/** Longer than our ids. Some texts come from requests, whose senders must not decide the size of the table. */
const MAX_TEXT_LENGTH = 200 // characters

/** The statements that record an entry, to be part of the batch with the change that it describes. */
export function auditStatements(
  env: Env,
  config: Config,
  entry: AuditEntry,
): D1PreparedStatement[] {
  return [
    database(env)
      .prepare(INSERT_ENTRY)
      .bind(
        entryId(),
        nowInSeconds(),
        entry.event,
        truncate(entry.outcome) ?? 'ok',
        truncate(entry.actor),
        truncate(entry.subject),
        truncate(entry.client),
        truncate(entry.provider),
        truncate(entry.address),
        truncate(entry.requestId),
        truncate(entry.detail),
      ),
    deleteExpiredEntries(env, config),
  ]
}

function truncate(text: string | undefined): string | null {
  return text?.slice(0, MAX_TEXT_LENGTH).toWellFormed() ?? null
}

/** Deletes a few expired entries. It is part of every batch that writes one. */
export function deleteExpiredEntries(env: Env, { auditRetention }: Config): D1PreparedStatement {
  return database(env)
    .prepare(DELETE_EXPIRED)
    .bind(nowInSeconds() - auditRetention, DELETIONS_PER_ENTRY)
}

/** Records an entry that describes no change to the database. */
export async function recordAuditEntry(env: Env, config: Config, entry: AuditEntry): Promise<void> {
  await database(env).batch(auditStatements(env, config, entry))
}

/** Ids sort by time: nine digits in base 36 last until the year 5188. */
export function entryId(): string {
  return randomId(timePrefix(Date.now()))
}

/** The ids of entries from this time on are greater than this, and those of earlier ones are less. */
export function entryIdsAt(seconds: number): string {
  return timePrefix(Math.max(0, Math.floor(seconds * 1000)))
}

function timePrefix(milliseconds: number): string {
  return milliseconds.toString(36).padStart(9, '0')
}

const INSERT_ENTRY = `
  INSERT INTO audit (id, at, event, outcome, actor, subject, client, provider, address, request_id, detail)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)`

/** Looks only at the oldest entries, so that it reads a few rows no matter how many there are. */
const DELETE_EXPIRED = `
  DELETE FROM audit WHERE id IN (
    SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ?2) WHERE at < ?1)`
