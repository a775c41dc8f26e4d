import { openIdOf } from './identifiers.ts'
import type { Platform } from './platform.ts'
import { type Attempt, type Delivery, describeHappening, signWebhook } from './webhook-event.ts'

/** Seconds until the first retry; each later pause is as long as all before it together. */
const FIRST_PAUSE = 10

/** 72 hours, the platform's own limit. */
const GIVE_UP_AFTER = 72 * 3600

/** Milliseconds an app has to answer. */
const PATIENCE = 10_000

/** Enough for a long test run, little enough for a long demo. */
const KEPT_DELIVERIES = 1000

/** Writes an event down for an app; nothing is sent yet. */
export async function queueEvent(
  platform: Platform,
  told: { clientKey: string; handle: string; event: string; content: object },
): Promise<Delivery | undefined> {
  const { clientKey, handle, event, content } = told
  const app = platform.apps.get(clientKey)
  if (app === undefined) return undefined

  const happening = {
    event,
    content,
    openId: await openIdOf(clientKey, handle),
    createdAt: platform.now(),
  }
  const body = describeHappening(app, happening, platform.switches)
  const delivery: Delivery = {
    clientKey,
    event,
    body,
    attempts: [],
    nextAttemptAt: happening.createdAt,
  }
  platform.deliveries.push(delivery)
  if (platform.deliveries.length > KEPT_DELIVERIES) platform.deliveries.shift()
  return delivery
}

/** Sends an event once; anything but a 200 is tried again later. */
export async function attempt(platform: Platform, delivery: Delivery): Promise<void> {
  // Set before anything waits, so that nobody else makes the same attempt.
  planRetry(platform, delivery)
  const copies = platform.switches.webhookCopies === 'two' ? 2 : 1
  const prepared = await prepare(platform, delivery)
  for (let copy = 0; copy < copies; copy++) {
    const made: Attempt = { ...prepared }
    delivery.attempts.push(made)
    await send(platform, delivery, made)
    if (made.status === 200) delete delivery.nextAttemptAt
  }
}

/** Moves the clock, and lets every retry on the way happen at its own moment. */
export async function moveClock(platform: Platform, seconds: number): Promise<void> {
  const target = platform.now() + seconds
  for (;;) {
    const next = nextDue(platform, target)
    if (next?.nextAttemptAt === undefined) break
    platform.advance(Math.max(0, next.nextAttemptAt - platform.now()))
    await attempt(platform, next)
  }
  platform.advance(Math.max(0, target - platform.now()))
}

function nextDue({ deliveries }: Platform, target: number): Delivery | undefined {
  const due = ({ nextAttemptAt = Number.POSITIVE_INFINITY }: Delivery) => nextAttemptAt
  return deliveries
    .filter((delivery) => due(delivery) <= target)
    .sort((one, other) => due(one) - due(other))[0]
}

function planRetry(platform: Platform, delivery: Delivery): void {
  const now = platform.now()
  const elapsed = now - (delivery.attempts[0]?.at ?? now)
  const next = now + Math.max(FIRST_PAUSE, elapsed)
  const isWorthIt = addressOf(platform, delivery) !== undefined
  if (isWorthIt && next <= now - elapsed + GIVE_UP_AFTER) delivery.nextAttemptAt = next
  else delete delivery.nextAttemptAt
}

/** Nobody knows whether a retry is signed anew, so a switch decides. */
async function prepare(platform: Platform, { clientKey, body, attempts }: Delivery) {
  const { switches } = platform
  const app = platform.apps.get(clientKey)
  const [first] = attempts
  const isSame = first !== undefined && switches.webhookRetrySignature === 'same'
  const now = platform.now()
  const signature =
    isSame || app === undefined ? first?.signature : await signWebhook(app, { now, body }, switches)
  const isTampered = switches.webhookBody === 'tampered'
  return { at: now, signature, body: isTampered ? `${body.slice(0, -1)},"extra":1}` : body }
}

async function send(platform: Platform, delivery: Delivery, made: Attempt): Promise<void> {
  const url = addressOf(platform, delivery)
  if (url === undefined) return
  const request = new Request(url, {
    method: 'POST',
    body: made.body,
    headers: {
      'Content-Type': 'application/json',
      ...(made.signature !== undefined && { 'TikTok-Signature': made.signature }),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE),
  })
  try {
    const response = await platform.send(request)
    made.status = response.status
    await response.body?.cancel()
  } catch (error) {
    made.problem = error instanceof Error ? error.message : String(error)
  }
}

function addressOf(platform: Platform, { clientKey }: Delivery): string | undefined {
  return platform.apps.get(clientKey)?.webhookUrl
}
