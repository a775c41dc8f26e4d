import type { Context } from 'hono'
import type { Platform, StandInEnv } from './platform.ts'
import type { Delivery } from './webhook-event.ts'
import { attempt } from './webhooks.ts'

/**
 * Sends an event now, and again in its own time until it arrives. Only who serves the stand-in for real
 * gives it time after an answer; a test has none to give, and moves the clock instead.
 */
export async function deliver(c: Context<StandInEnv>, delivery: Delivery): Promise<void> {
  const platform = c.get('platform')
  await attempt(platform, delivery)
  executionOf(c)?.waitUntil(keepTrying(platform, delivery))
}

/** The same, but whoever asked is answered first: the app may be the one that waits for us. */
export async function deliverLater(c: Context<StandInEnv>, delivery: Delivery): Promise<void> {
  const delivered = deliver(c, delivery)
  const execution = executionOf(c)
  if (execution === undefined) await delivered
  else execution.waitUntil(delivered)
}

async function keepTrying(platform: Platform, delivery: Delivery): Promise<void> {
  const { life } = platform
  while (delivery.nextAttemptAt !== undefined && !life.aborted) {
    const pause = delivery.nextAttemptAt - platform.now()
    // The clock may have been moved in the meantime, and the attempt made.
    if (pause <= 0) await attempt(platform, delivery)
    else await new Promise((resolve) => setTimeout(resolve, pause * 1000))
  }
}

function executionOf(c: Context<StandInEnv>) {
  try {
    return c.executionCtx
  } catch {
    return undefined
  }
}
