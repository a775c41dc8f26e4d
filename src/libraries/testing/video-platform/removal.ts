import { endGrant } from './grants.ts'
import type { Grant, Platform } from './platform.ts'
import { type Delivery, REASONS, type Reason } from './webhook-event.ts'
import { queueEvent } from './webhooks.ts'

/**
 * Ends a grant, and queues the webhook about it. The tokens are invalid before the webhook is sent.
 */
export function removeAuthorization(
  platform: Platform,
  grant: Grant,
  reason: Reason,
): Promise<Delivery | undefined> {
  const { clientKey, handle } = grant
  endGrant(platform, grant)
  return queueEvent(platform, {
    clientKey,
    handle,
    event: 'authorization.removed',
    content: { reason: REASONS[reason] },
  })
}
