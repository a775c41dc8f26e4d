import { deriveOpenId } from './identifiers.ts'
import type { Platform } from './platform.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  serializeEvent,
  signWebhook,
} from './webhook-event.ts'

/** Seconds until the first retry. Each later pause equals the time since the first attempt. */
const FIRST_PAUSE = 10

/** Seconds: 72 hours, the platform's own limit. */
const RETRY_PERIOD = 72 * 3600

/** Milliseconds within which an app must respond. */
const RESPONSE_TIMEOUT = 10_000

/** Enough for a long test run, and small enough for a demo that runs for days. */
const MAX_DELIVERIES = 1000

/** Stores an event for an app without sending it yet. */
export async function queueEvent(
  platform: Platform,
  occurrence: { clientKey: string; handle: string; event: string; content: object },
): Promise<Delivery | undefined> {
  const { clientKey, handle, event, content } = occurrence
  const app = platform.apps.get(clientKey)
  if (app === undefined) return undefined

  const openId = await deriveOpenId(clientKey, handle)
  const createdAt = platform.now()
  const body = serializeEvent(app, { event, content, openId, createdAt }, platform.switches)
  const delivery: Delivery = { clientKey, event, body, attempts: [], nextAttemptAt: createdAt }
  platform.deliveries.push(delivery)
  if (platform.deliveries.length > MAX_DELIVERIES) platform.deliveries.shift()
  return delivery
}

/** Sends an event once. Any response other than 200 is followed by a retry. */
export async function attemptDelivery(platform: Platform, delivery: Delivery): Promise<void> {
  // Scheduled before the first `await`, so that no concurrent caller makes the same attempt.
  scheduleRetry(platform, delivery)
  const copies = platform.switches.webhookCopies === 'two' ? 2 : 1
  const prepared = await prepareAttempt(platform, delivery)
  for (let copy = 0; copy < copies; copy++) {
    const attempt: DeliveryAttempt = { ...prepared }
    delivery.attempts.push(attempt)
    await sendAttempt(platform, delivery, attempt)
    if (attempt.status === 200) delete delivery.nextAttemptAt
  }
}

/** Advances the clock, and makes each retry that falls into that period at its scheduled time. */
export async function advanceClock(platform: Platform, seconds: number): Promise<void> {
  const target = platform.now() + seconds
  for (;;) {
    const next = findNextDue(platform, target)
    if (next?.nextAttemptAt === undefined) break
    platform.advance(Math.max(0, next.nextAttemptAt - platform.now()))
    await attemptDelivery(platform, next)
  }
  platform.advance(Math.max(0, target - platform.now()))
}

function findNextDue({ deliveries }: Platform, target: number): Delivery | undefined {
  const dueTime = ({ nextAttemptAt = Number.POSITIVE_INFINITY }: Delivery) => nextAttemptAt
  return deliveries
    .filter((delivery) => dueTime(delivery) <= target)
    .sort((a, b) => dueTime(a) - dueTime(b))[0]
}

function scheduleRetry(platform: Platform, delivery: Delivery): void {
  const now = platform.now()
  const firstAttemptAt = delivery.attempts[0]?.at ?? now
  const next = now + Math.max(FIRST_PAUSE, now - firstAttemptAt)
  const hasAddress = findWebhookUrl(platform, delivery) !== undefined
  if (hasAddress && next <= firstAttemptAt + RETRY_PERIOD) delivery.nextAttemptAt = next
  else delete delivery.nextAttemptAt
}

/** Whether the platform signs a retry again is not documented, so a switch decides. */
async function prepareAttempt(platform: Platform, { clientKey, body, attempts }: Delivery) {
  const { switches } = platform
  const app = platform.apps.get(clientKey)
  const [first] = attempts
  const reusesSignature = first !== undefined && switches.webhookRetrySignature === 'same'
  const now = platform.now()
  const signature =
    reusesSignature || app === undefined
      ? first?.signature
      : await signWebhook(app, { now, body }, switches)
  const isTampered = switches.webhookBody === 'tampered'
  return { at: now, signature, body: isTampered ? `${body.slice(0, -1)},"extra":1}` : body }
}

async function sendAttempt(
  platform: Platform,
  delivery: Delivery,
  attempt: DeliveryAttempt,
): Promise<void> {
  const url = findWebhookUrl(platform, delivery)
  if (url === undefined) return
  const request = new Request(url, {
    method: 'POST',
    body: attempt.body,
    headers: {
      'Content-Type': 'application/json',
      ...(attempt.signature !== undefined && { 'TikTok-Signature': attempt.signature }),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT),
  })
  try {
    const response = await platform.send(request)
    attempt.status = response.status
    await response.body?.cancel()
  } catch (error) {
    attempt.problem = error instanceof Error ? error.message : String(error)
  }
}

function findWebhookUrl(platform: Platform, { clientKey }: Delivery): string | undefined {
  return platform.apps.get(clientKey)?.webhookUrl
}
