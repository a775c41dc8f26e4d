import { Hono } from 'hono'
import * as z from 'zod/mini'
import { deliver } from './background.ts'
import { answerControlError, readBody } from './control-body.ts'
import { grantsOf } from './grants.ts'
import type { Persona } from './personas.ts'
import type { Platform, StandInEnv } from './platform.ts'
import { removeAuthorization } from './removal.ts'
import { type Delivery, REASONS, type Reason } from './webhook-event.ts'
import { queueEvent } from './webhooks.ts'

const REMOVED = 'authorization.removed'

/** An authorization ends, at one app or at all; with the account itself it always ends at all. */
const removal = z.object({
  event: z._default(z.literal(REMOVED), REMOVED),
  user: z.string(),
  app: z.optional(z.string()),
  reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]),
})

/** Any other event, about which only the app is told. */
const message = z.object({
  event: z.string().check(z.minLength(1)),
  user: z.string(),
  app: z.string(),
  content: z._default(z.record(z.string(), z.unknown()), {}),
})

/** What becomes of an account besides its authorizations. */
const STANDINGS: Partial<Record<Reason, Persona['standing']>> = {
  'account-deleted': 'deleted',
  'age-changed': 'under-age',
  'account-banned': 'banned',
}

/** Lets something happen to a person of which apps are told, and lists what they were told. */
export const controlEvents = new Hono<StandInEnv>()
  .post('/__stand-in/events', async (c) => {
    const platform = c.get('platform')
    const happening = await readBody(c, z.union([removal, message]))
    const persona = platform.personas.get(happening.user)
    if (persona === undefined) return c.json({ problem: 'There is no such user.' }, 400)

    const deliveries = await Promise.all(
      'reason' in happening
        ? remove(platform, persona, happening)
        : [
            queueEvent(platform, {
              ...happening,
              clientKey: happening.app,
              handle: persona.handle,
            }),
          ],
    )
    const queued = deliveries.filter((delivery) => delivery !== undefined)
    await Promise.all(queued.map((delivery) => deliver(c, delivery)))
    return c.json(queued.map((delivery) => describe(platform, delivery)))
  })
  .get('/__stand-in/events', (c) => {
    const platform = c.get('platform')
    return c.json(platform.deliveries.map((delivery) => describe(platform, delivery)))
  })
  .onError(answerControlError)

function remove(
  platform: Platform,
  persona: Persona,
  { app, reason }: z.infer<typeof removal>,
): Promise<Delivery | undefined>[] {
  const standing = STANDINGS[reason]
  if (standing !== undefined) platform.personas.set(persona.handle, { ...persona, standing })

  return grantsOf(platform, persona.handle)
    .filter(({ clientKey }) => standing !== undefined || app === undefined || clientKey === app)
    .map((grant) => removeAuthorization(platform, grant, reason))
}

function describe(platform: Platform, delivery: Delivery) {
  return { ...delivery, url: platform.apps.get(delivery.clientKey)?.webhookUrl }
}
