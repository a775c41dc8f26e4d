import type { Config } from '../../core/config/config.ts'
import { count, sendCounts } from '../../core/metrics/count.ts'
import { database } from '../../core/storage/database.ts'
import {
  beginRun,
  type Delivery,
  deleteDelivery,
  endRun,
  listWebhookRows,
  nextAttempt,
  parseWebhook,
  postponeDelivery,
  pruneDeliveries,
  type Run,
  readDueDeliveries,
  readNextEntries,
  storeProgress,
  storeRenewedSecrets,
  type WebhookRow,
} from './deliveries.ts'
import type { METRICS } from './metrics.ts'
import { messageFor, type Receiver, sendMessage } from './send-event.ts'
import type { WebhookMessage } from './sign-webhook.ts'
import type { Webhook } from './webhook-schema.ts'
import { openSecrets } from './webhook-store.ts'

/** The next run begins a minute after this one. */
const MAX_DURATION = 45_000 // milliseconds

/** A Worker can have six connections at once, and storage needs some of them. */
const WEBHOOKS_AT_ONCE = 2
const REQUESTS_AT_ONCE = 2

/** After so many failures in a row, the receiver is left alone until the next run. */
const MAX_FAILURES_IN_A_ROW = 4

/** How many entries are read at once, and sent again if the run crashes. */
const PAGE_LENGTH = 100

/** What the requests of a run have in common. */
interface Sender {
  env: Env
  run: Run
  webhook: Webhook
  receiver: Receiver
  /** In milliseconds since 1970. */
  endsAt: number
  failuresInARow: number
}

/**
 * Sends the entries of the audit log that webhooks have not yet got, and tries again to send those
 * that they did not accept. See docs/decisions/0068-webhooks-read-the-audit-log.md.
 */
export async function deliverEvents(env: Env, config: Config): Promise<void> {
  const endsAt = Date.now() + MAX_DURATION
  const rows = await listWebhookRows(env)
  // Each lane takes the next webhook, so that a slow one delays only its lane.
  const lanes = Array.from({ length: WEBHOOKS_AT_ONCE }, async () => {
    for (let row = rows.shift(); row && Date.now() < endsAt; row = rows.shift()) {
      await deliverOrReport(env, config, { row, endsAt })
    }
  })
  await Promise.all(lanes)
  await sendCounts(env, config)
  await pruneDeliveries(env)
}

interface Turn {
  row: WebhookRow
  endsAt: number
}

/** A problem with one webhook does not affect the others. */
async function deliverOrReport(env: Env, config: Config, turn: Turn): Promise<void> {
  try {
    await deliverToWebhook(env, config, turn)
  } catch (error) {
    reportFailure(turn.row.id, String(error))
  }
}

function reportFailure(webhookId: string, cause: string): void {
  console.error(JSON.stringify({ event: 'webhook_failed', webhookId, cause }))
}

async function deliverToWebhook(env: Env, config: Config, { row, endsAt }: Turn): Promise<void> {
  const webhook = parseWebhook(row)
  if (!webhook) return reportFailure(row.id, 'its registration is invalid')
  const { secrets, renewed } = await openSecrets(config.seal, webhook)
  if (renewed) await storeRenewedSecrets(env, row, { ...webhook, sealed_secrets: renewed })
  if (secrets.length === 0) return reportFailure(row.id, 'no secret of the service opens its own')
  const run = await beginRun(env, row)
  if (!run) return
  const receiver = { url: webhook.url, secrets }
  const sender: Sender = { env, run, webhook, receiver, endsAt, failuresInARow: 0 }
  try {
    await sendDueEvents(sender)
    await sendNewEvents(sender)
  } finally {
    await endRun(env, run)
  }
}

async function sendDueEvents(sender: Sender): Promise<void> {
  const { env, run, webhook } = sender
  const due = await readDueDeliveries(env, run, PAGE_LENGTH)
  const items = due.map((delivery) => ({
    delivery,
    message: delivery.entry && messageFor(webhook.events, delivery.entry),
  }))
  const attempts = await sendAll(sender, items)
  if (attempts.length === 0) return
  const statements = attempts.map(({ item: { delivery, message }, problem }) => {
    if (delivery.entry && (!message || problem === undefined)) {
      return deleteDelivery(env, run.webhookId, delivery.eventId)
    }
    return postpone(sender, delivery, problem)
  })
  await database(env).batch(statements)
}

function postpone(
  { env, run: { webhookId } }: Sender,
  { eventId, attempts, failedAt, entry }: Delivery,
  problem = 'The entry of the audit log was deleted.',
): D1PreparedStatement {
  const dueAt = entry && nextAttempt(attempts + 1, failedAt)
  reportAttempt(webhookId, { eventId, attempts: attempts + 1, isGivenUp: dueAt === undefined })
  return postponeDelivery(env, webhookId, { eventId, problem, dueAt })
}

async function sendNewEvents(sender: Sender): Promise<void> {
  const { env, run, webhook } = sender
  while (canContinue(sender)) {
    const entries = await readNextEntries(env, run, PAGE_LENGTH)
    const items = entries.flatMap((entry) => {
      const message = messageFor(webhook.events, entry)
      return message ? [{ id: entry.id, message }] : []
    })
    const attempts = await sendAll(sender, items)
    const last = attempts.length < items.length ? attempts.at(-1)?.item : entries.at(-1)
    if (!last) return
    const failed = attempts.flatMap(({ item: { id }, problem }) =>
      problem === undefined ? [] : [{ id, problem }],
    )
    for (const { id } of failed) {
      reportAttempt(run.webhookId, { eventId: id, attempts: 1, isGivenUp: false })
    }
    if (!(await storeProgress(env, run, { sentUntil: last.id, failed }))) return
    run.sentUntil = last.id
  }
}

interface Attempt<Item> {
  item: Item
  /** Why the event was not accepted, if it was sent and not accepted. */
  problem: string | undefined
}

/** Sends the messages in their order, a few at once, until the run has to end. */
async function sendAll<Item extends { message: WebhookMessage | undefined }>(
  sender: Sender,
  items: readonly Item[],
): Promise<Attempt<Item>[]> {
  const attempts: Attempt<Item>[] = []
  while (attempts.length < items.length && canContinue(sender)) {
    const next = items.slice(attempts.length, attempts.length + REQUESTS_AT_ONCE)
    const made = await Promise.all(next.map((item) => attempt(sender, item)))
    for (const { problem } of made) {
      sender.failuresInARow = problem === undefined ? 0 : sender.failuresInARow + 1
    }
    attempts.push(...made)
  }
  return attempts
}

async function attempt<Item extends { message: WebhookMessage | undefined }>(
  { receiver }: Sender,
  item: Item,
): Promise<Attempt<Item>> {
  if (!item.message) return { item, problem: undefined }
  const problem = await sendMessage(receiver, item.message)
  if (problem === undefined)
    count<typeof METRICS>('vestibule_webhooks_total', { outcome: 'delivered' })
  return { item, problem }
}

function canContinue({ endsAt, failuresInARow }: Sender): boolean {
  return failuresInARow < MAX_FAILURES_IN_A_ROW && Date.now() < endsAt
}

function reportAttempt(
  webhookId: string,
  { isGivenUp, ...attempt }: { eventId: string; attempts: number; isGivenUp: boolean },
): void {
  const outcome = isGivenUp ? 'given_up' : 'delayed'
  count<typeof METRICS>('vestibule_webhooks_total', { outcome })
  console.warn(JSON.stringify({ event: `webhook_${outcome}`, webhookId, ...attempt }))
}
