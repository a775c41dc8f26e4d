import { readEntriesBetween } from '../../administration/read-audit.ts'
import { type ListPage, toSnakeCase } from '../../administration/resources.ts'
import type { RecordedEntry } from '../../core/audit/audit-entry.ts'
import { entryIdsAt } from '../../core/audit/audit-log.ts'
import { type AuditRow, toEntry } from '../../core/audit/audit-rows.ts'
import type { Config } from '../../core/config/config.ts'
import { type Row, selectRow, storedFields } from '../../core/registrations/stored-registrations.ts'
import { database } from '../../core/storage/database.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { randomId } from '../../foundation/crypto/random.ts'
import { nowInSeconds, startOfHour } from '../../foundation/values/clock.ts'
import { type EventType, eventType } from './event-types.ts'
import type { DeliveryState, UnacceptedEvent } from './resource.ts'
import { WEBHOOKS } from './table.ts'
import type { Webhook } from './webhook-schema.ts'
import { openSecrets, webhookStore } from './webhook-store.ts'

/**
 * Entries that are younger are not sent yet, because one with a smaller id may still be written: an
 * isolate chooses the id before it sends its statements to the database, which ends them after at
 * most 30 seconds, and clocks differ by less than a second.
 */
const SETTLING_TIME = 60 // seconds

/** For how long a run keeps other runs out. It ends earlier, unless it crashes. */
const LEASE = 120 // seconds

/** If so many events wait for another attempt, further ones stay in the audit log meanwhile. */
const MAX_WAITING = 1000

/** The delay doubles after each attempt: one minute, two, four, …, at most an hour. */
const FIRST_DELAY = 60 // seconds
const MAX_DELAY = 3600 // seconds

/** After this time, an event is given up. */
const MAX_AGE = 24 * 3600 // seconds

/** For how long administrators can see what was given up. */
const GIVEN_UP_RETENTION = 7 * 24 * 3600 // seconds

/** The hour of this isolate's last deletion of what was given up. */
let prunedHour = 0

/** A row of the table `webhooks`. */
export interface WebhookRow extends Row {
  sent_until: string | null
  run_until: number | null
}

/** An event that waits for another attempt, or was given up. */
export interface Delivery {
  eventId: string
  attempts: number
  failedAt: number
  /** Absent if the event was given up. */
  dueAt: number | undefined
  problem: string
  /** The entry that is sent, unless it was deleted, and its type. */
  entry: RecordedEntry | undefined
  type: EventType | undefined
}

/** All webhooks, those first that had to wait longest. */
export async function listWebhookRows(env: Env): Promise<WebhookRow[]> {
  const { results } = await database(env)
    .prepare('SELECT *, webhook_id AS id FROM webhooks ORDER BY run_until')
    .all<WebhookRow>()
  return results
}

/** The registration in a row; undefined if it is invalid. */
export function parseWebhook(row: Row): Webhook | undefined {
  return webhookStore.schema.safeParse(storedFields(WEBHOOKS, row)).data
}

/** Replaces the sealed secrets, unless the registration has changed meanwhile. */
export async function storeRenewedSecrets(
  env: Env,
  { id, registration }: Row,
  { webhook_id: _, ...webhook }: Webhook,
): Promise<void> {
  await database(env)
    .prepare('UPDATE webhooks SET registration = ?3 WHERE webhook_id = ?1 AND registration = ?2')
    .bind(id, registration, JSON.stringify(webhook))
    .run()
}

/** A run that may send events to a webhook. No other one sends at the same time. */
export interface Run {
  webhookId: string
  runId: string
  /** The id of the last entry that was sent or put aside. */
  sentUntil: string
}

/** Begins a run if there is something to send and no other one is under way. */
export async function beginRun(env: Env, row: WebhookRow): Promise<Run | undefined> {
  const now = nowInSeconds()
  const runId = randomId('run')
  const begun = await database(env)
    .prepare(BEGIN_RUN)
    .bind(row.id, runId, now + LEASE, now, entryIdsAt(row.created_at), settledId(now))
    .first<WebhookRow>()
  if (!begun) return undefined
  return { webhookId: row.id, runId, sentUntil: sentUntil(begun) }
}

export async function endRun(env: Env, { webhookId, runId }: Run): Promise<void> {
  await database(env)
    .prepare(
      'UPDATE webhooks SET run_id = NULL, run_until = ?3 WHERE webhook_id = ?1 AND run_id = ?2',
    )
    .bind(webhookId, runId, nowInSeconds())
    .run()
}

/** The next entries to send. None if too many events wait for another attempt. */
export async function readNextEntries(
  env: Env,
  { webhookId, sentUntil }: Run,
  limit: number,
): Promise<RecordedEntry[]> {
  const waiting = await database(env)
    .prepare(
      'SELECT count(*) AS count FROM webhook_deliveries WHERE webhook_id = ? AND due_at IS NOT NULL',
    )
    .bind(webhookId)
    .first<number>('count')
  if ((waiting ?? 0) >= MAX_WAITING) return []
  return readEntriesBetween(env, { after: sentUntil, before: settledId(nowInSeconds()), limit })
}

/** The events whose next attempt is due, those first that had to wait longest. */
export async function readDueDeliveries(
  env: Env,
  { webhookId }: Run,
  limit: number,
): Promise<Delivery[]> {
  const { results } = await database(env)
    .prepare(
      `${SELECT_DELIVERIES} WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, event_id LIMIT ?`,
    )
    .bind(webhookId, nowInSeconds(), limit)
    .all<DeliveryRow>()
  return results.map(toDelivery)
}

/**
 * Stores how far a run has come, and the events that were not accepted, both or neither. Returns
 * false if the run has to end, because the webhook was deleted or another run has begun.
 */
export async function storeProgress(
  env: Env,
  { webhookId, runId }: Run,
  { sentUntil, failed }: { sentUntil: string; failed: readonly FailedEvent[] },
): Promise<boolean> {
  const now = nowInSeconds()
  const insert = database(env).prepare(INSERT_DELIVERY)
  const results = await database(env).batch([
    ...failed.map(({ id, problem }) =>
      insert.bind(webhookId, runId, id, now, nextAttempt(1, now) ?? null, problem),
    ),
    database(env)
      .prepare('UPDATE webhooks SET sent_until = ?3 WHERE webhook_id = ?1 AND run_id = ?2')
      .bind(webhookId, runId, sentUntil),
  ])
  return (results.at(-1)?.meta.changes ?? 0) > 0
}

interface FailedEvent {
  id: string
  problem: string
}

/** Deletes a delivery whose event was accepted. */
export function deleteDelivery(env: Env, webhookId: string, eventId: string): D1PreparedStatement {
  return database(env)
    .prepare('DELETE FROM webhook_deliveries WHERE webhook_id = ? AND event_id = ?')
    .bind(webhookId, eventId)
}

/** Stores that another attempt has failed. Without a time, the event is given up. */
export function postponeDelivery(
  env: Env,
  webhookId: string,
  { eventId, problem, dueAt }: Pick<Delivery, 'eventId' | 'problem' | 'dueAt'>,
): D1PreparedStatement {
  return database(env)
    .prepare(
      `UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ?3, problem = ?4
       WHERE webhook_id = ?1 AND event_id = ?2`,
    )
    .bind(webhookId, eventId, dueAt ?? null, problem)
}

/** Deletes what was given up long ago, the first time an isolate sends events in an hour. */
export async function pruneDeliveries(env: Env): Promise<void> {
  const now = nowInSeconds()
  if (startOfHour(now) === prunedHour) return
  await database(env)
    .prepare('DELETE FROM webhook_deliveries WHERE due_at IS NULL AND failed_at < ?')
    .bind(now - GIVEN_UP_RETENTION)
    .run()
  prunedHour = startOfHour(now)
}

/** When to try again after so many attempts. Absent if the event is given up. */
export function nextAttempt(attempts: number, failedAt: number): number | undefined {
  const dueAt = nowInSeconds() + Math.min(FIRST_DELAY * 2 ** (attempts - 1), MAX_DELAY)
  return dueAt <= failedAt + MAX_AGE ? dueAt : undefined
}

/** What administrators see of the deliveries to a webhook. */
export async function readDeliveryState(
  env: Env,
  config: Config,
  id: string,
): Promise<DeliveryState | undefined> {
  const row = await requireStorage(() => selectRow(env, WEBHOOKS, id).first<WebhookRow>())
  if (!row) return undefined
  const state = await requireStorage(() => selectState(env, row).first<StateRow>())
  return {
    problem: await findObstacle(config, row),
    unsent_since: state?.unsent_since ?? undefined,
    waiting: state?.waiting ?? 0,
    given_up: state?.given_up ?? 0,
  }
}

/** How far the deliveries to all webhooks are. */
export async function readDeliveryStates(env: Env): Promise<StateRow[]> {
  const rows = await listWebhookRows(env)
  if (rows.length === 0) return []
  const results = await database(env).batch<StateRow>(rows.map((row) => selectState(env, row)))
  return results.flatMap(({ results }) => results)
}

/** Why nothing is sent to a webhook; undefined if nothing prevents it. */
async function findObstacle({ seal }: Config, row: Row): Promise<string | undefined> {
  const webhook = parseWebhook(row)
  if (!webhook) return 'Its registration is invalid for this version.'
  const { secrets } = await openSecrets(seal, webhook)
  return secrets.length === 0
    ? 'AUTH_SECRET was replaced, and does not open the secret of the webhook: create a new one, and enter it at the receiver.'
    : undefined
}

interface StateRow {
  id: string
  unsent_since: number | null
  waiting: number
  given_up: number
}

function selectState(env: Env, row: WebhookRow): D1PreparedStatement {
  return database(env).prepare(SELECT_STATE).bind(row.id, sentUntil(row), settledId(nowInSeconds()))
}

/** The events that a webhook has not accepted, the newest first. */
export async function listDeliveries(
  env: Env,
  { id, cursor, limit }: { id: string; cursor?: string | undefined; limit: number },
): Promise<ListPage<UnacceptedEvent>> {
  const { results } = await requireStorage(() =>
    database(env)
      .prepare(
        `${SELECT_DELIVERIES} WHERE webhook_id = ?1 AND (?2 IS NULL OR event_id < ?2)
         ORDER BY event_id DESC LIMIT ?3`,
      )
      .bind(id, cursor ?? null, limit + 1)
      .all<DeliveryRow>(),
  )
  const items = results.slice(0, limit).map((row) => {
    const { entry, ...delivery } = toDelivery(row)
    return toSnakeCase({ ...delivery, at: entry?.at })
  })
  return { items, next_cursor: results.length > limit ? items.at(-1)?.event_id : undefined }
}

/** Whether there were events to send for so many seconds, and no run has begun. */
export async function isDeliveryIdle(env: Env, seconds: number): Promise<boolean> {
  const before = nowInSeconds() - seconds
  const idle = (await listWebhookRows(env)).filter(
    ({ run_until, created_at }) => (run_until ?? created_at) < before,
  )
  const oldest = idle.map(sentUntil).sort()[0]
  if (oldest === undefined) return false
  const page = { after: oldest, before: entryIdsAt(before), limit: 1 }
  return (await readEntriesBetween(env, page)).length > 0
}

/** New webhooks get no events from before. */
function sentUntil({ sent_until, created_at }: WebhookRow): string {
  return sent_until ?? entryIdsAt(created_at)
}

function settledId(now: number): string {
  return entryIdsAt(now - SETTLING_TIME)
}

interface DeliveryRow extends Omit<AuditRow, 'id'> {
  /** Null if the entry was deleted. */
  id: string | null
  event_id: string
  attempts: number
  failed_at: number
  due_at: number | null
  problem: string
}

function toDelivery(row: DeliveryRow): Delivery {
  const entry = row.id === null ? undefined : toEntry({ ...row, id: row.id })
  return {
    eventId: row.event_id,
    attempts: row.attempts,
    failedAt: row.failed_at,
    dueAt: row.due_at ?? undefined,
    problem: row.problem,
    entry,
    type: entry && eventType(entry),
  }
}

const SELECT_DELIVERIES = `
  SELECT audit.*, event_id, attempts, failed_at, due_at, problem
  FROM webhook_deliveries LEFT JOIN audit ON audit.id = event_id`

const BEGIN_RUN = `
  UPDATE webhooks SET run_id = ?2, run_until = ?3
  WHERE webhook_id = ?1 AND (run_id IS NULL OR run_until <= ?4) AND (
    EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = ?1 AND due_at <= ?4)
    OR EXISTS (SELECT 1 FROM audit WHERE id > coalesce(sent_until, ?5) AND id < ?6))
  RETURNING *, webhook_id AS id`

const INSERT_DELIVERY = `
  INSERT INTO webhook_deliveries (webhook_id, event_id, attempts, failed_at, due_at, problem)
  SELECT webhook_id, ?3, 1, ?4, ?5, ?6 FROM webhooks WHERE webhook_id = ?1 AND run_id = ?2
  ON CONFLICT (webhook_id, event_id) DO NOTHING`

const SELECT_STATE = `
  SELECT ?1 AS id,
    (SELECT at FROM audit WHERE id > ?2 AND id < ?3 ORDER BY id LIMIT 1) AS unsent_since,
    (SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?1 AND due_at IS NOT NULL) AS waiting,
    (SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?1 AND due_at IS NULL) AS given_up`
