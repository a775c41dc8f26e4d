import type { Context } from 'hono'
import type { Platform, StandInEnv } from './platform.ts'
import type { Delivery } from './webhook-event.ts'
import { attemptDelivery } from './webhooks.ts'

/**
 * Sends a webhook before the response, and retries in the background. Retries need an execution
 * context, so in a test that calls the app as a function they happen only when the test advances
 * the clock.
 */
export async function deliver(c: Context<StandInEnv>, delivery: Delivery): Promise<void> {
  const platform = c.get('platform')
  await attemptDelivery(platform, delivery)
  findExecutionContext(c)?.waitUntil(retryUntilDelivered(platform, delivery))
}

/**
 * Sends a webhook after the response, because the receiving app may be waiting for that response.
 */
export async function deliverAfterResponse(
  c: Context<StandInEnv>,
  delivery: Delivery,
): Promise<void> {
  const delivered = deliver(c, delivery)
  const executionContext = findExecutionContext(c)
  if (executionContext === undefined) await delivered
  else executionContext.waitUntil(delivered)
}

async function retryUntilDelivered(platform: Platform, delivery: Delivery): Promise<void> {
  const { resetSignal } = platform
  while (delivery.nextAttemptAt !== undefined && !resetSignal.aborted) {
    // Computed again each time: the clock may have been advanced and the attempt made in the
    // meantime.
    const pause = delivery.nextAttemptAt - platform.now()
    if (pause <= 0) await attemptDelivery(platform, delivery)
    else await new Promise((resolve) => setTimeout(resolve, pause * 1000))
  }
}

function findExecutionContext(c: Context<StandInEnv>) {
  try {
    return c.executionCtx
  } catch {
    return undefined
  }
}
