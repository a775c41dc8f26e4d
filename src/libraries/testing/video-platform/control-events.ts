import { Hono } from 'hono'
import * as z from 'zod/mini'
import { readBody, respondWithControlError } from './control-body.ts'
import { listGrants } from './grants.ts'
import type { Persona } from './personas.ts'
import type { Platform, StandInEnv } from './platform.ts'
import { removeAuthorization } from './removal.ts'
import { deliver } from './webhook-delivery.ts'
import { type Delivery, REASONS, type Reason } from './webhook-event.ts'
import { queueEvent } from './webhooks.ts'

const REMOVED = 'authorization.removed'

/**
 * Ends the authorization of one app, or of all apps. Reasons that end the account always affect all
 * apps.
 */
const removal = z.object({
  event: z._default(z.literal(REMOVED), REMOVED),
  user: z.string(),
  app: z.optional(z.string()),
  reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]),
})

/** Any other event. It is sent to the app and has no effect in the stand-in. */
const otherEvent = z.object({
  event: z.string().check(z.minLength(1)),
  user: z.string(),
  app: z.string(),
  content: z._default(z.record(z.string(), z.unknown()), {}),
})

/** The reasons that also change the state of the account. */
const STANDINGS: Partial<Record<Reason, Persona['standing']>> = {
  'account-deleted': 'deleted',
  'age-changed': 'under-age',
  'account-banned': 'banned',
}

/** Control API: triggers events that are sent to apps as webhooks, and lists the deliveries. */
export const controlEvents = new Hono<StandInEnv>()
  .post('/__stand-in/events', async (c) => {
    const platform = c.get('platform')
    const event = await readBody(c, z.union([removal, otherEvent]))
    const persona = platform.personas.get(event.user)
    if (persona === undefined) return c.json({ problem: 'There is no such user.' }, 400)

    const deliveries = await Promise.all(
      'reason' in event
        ? removeAuthorizations(platform, persona, event)
        : [queueEvent(platform, { ...event, clientKey: event.app, handle: persona.handle })],
    )
    const queued = deliveries.filter((delivery) => delivery !== undefined)
    await Promise.all(queued.map((delivery) => deliver(c, delivery)))
    return c.json(queued.map((delivery) => describeDelivery(platform, delivery)))
  })
  .get('/__stand-in/events', (c) => {
    const platform = c.get('platform')
    return c.json(platform.deliveries.map((delivery) => describeDelivery(platform, delivery)))
  })
  .onError(respondWithControlError)

function removeAuthorizations(
  platform: Platform,
  persona: Persona,
  { app, reason }: z.infer<typeof removal>,
): Promise<Delivery | undefined>[] {
  const standing = STANDINGS[reason]
  if (standing !== undefined) platform.personas.set(persona.handle, { ...persona, standing })

  return listGrants(platform, persona.handle)
    .filter(({ clientKey }) => standing !== undefined || app === undefined || clientKey === app)
    .map((grant) => removeAuthorization(platform, grant, reason))
}

function describeDelivery(platform: Platform, delivery: Delivery) {
  return { ...delivery, url: platform.apps.get(delivery.clientKey)?.webhookUrl }
}
