import type { RecordedEntry } from '../../core/audit/audit-entry.ts'
import { type AuditRow, toEntry } from '../../core/audit/audit-rows.ts'
import type { Config } from '../../core/config/config.ts'
import { selectRow } from '../../core/registrations/stored-registrations.ts'
import { database } from '../../core/storage/database.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { randomId } from '../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { deleteDelivery, parseWebhook, type WebhookRow } from './deliveries.ts'
import { eventBody, messageFor, type Receiver, sendMessage } from './send-event.ts'
import { WEBHOOKS } from './table.ts'
import { openSecrets } from './webhook-store.ts'

/** What became of an event that an administrator sent; undefined if it does not exist. */
type Result = { problem: string | undefined } | undefined

/** Sends an event of the type `test` now. */
export async function sendTestEvent(env: Env, config: Config, webhookId: string): Promise<Result> {
  return send(env, config, webhookId, async (receiver) => {
    const body = eventBody('test', nowInSeconds(), {})
    return { problem: await sendMessage(receiver, { id: randomId('test'), body }) }
  })
}

/** Sends an event now, whether or not it was sent before. */
export async function resendEvent(
  env: Env,
  config: Config,
  { webhookId, eventId }: { webhookId: string; eventId: string },
): Promise<Result> {
  const entry = await requireStorage(() => readEntry(env, eventId))
  // The webhook may get other types by now.
  const message = entry && messageFor(undefined, entry)
  if (!message) return undefined
  return send(env, config, webhookId, async (receiver) => {
    const problem = await sendMessage(receiver, message)
    if (problem !== undefined) return { problem }
    await requireStorage(() => deleteDelivery(env, webhookId, eventId).run())
    return { problem: undefined }
  })
}

async function send(
  env: Env,
  config: Config,
  webhookId: string,
  sendTo: (receiver: Receiver) => Promise<Result>,
): Promise<Result> {
  const row = await requireStorage(() => selectRow(env, WEBHOOKS, webhookId).first<WebhookRow>())
  const webhook = row ? parseWebhook(row) : undefined
  if (!webhook) return undefined
  const { secrets } = await openSecrets(config.seal, webhook)
  if (secrets.length === 0) {
    return { problem: 'No secret of the service opens that of the webhook: create a new one.' }
  }
  return sendTo({ url: webhook.url, secrets })
}

/** The entry with this id. */
async function readEntry(env: Env, id: string): Promise<RecordedEntry | undefined> {
  const row = await database(env)
    .prepare('SELECT * FROM audit WHERE id = ?')
    .bind(id)
    .first<AuditRow>()
  return row ? toEntry(row) : undefined
}
