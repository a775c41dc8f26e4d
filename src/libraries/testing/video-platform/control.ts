import { Hono } from 'hono'
import * as z from 'zod/mini'
import { app } from './apps.ts'
import { readBody, respondWithControlError } from './control-body.ts'
import { fault } from './faults.ts'
import { createPersona, persona } from './personas.ts'
import type { Platform, StandInEnv } from './platform.ts'
import { switches } from './switches.ts'
import { advanceClock } from './webhooks.ts'

const user = z.extend(z.partial(persona), {
  handle: persona.shape.handle,
  /**
   * Whether they are a target user of every sandbox. Default: true for a new user, else unchanged.
   */
  targetUser: z.optional(z.boolean()),
})

const clock = z.object({ advance: z.int().check(z.nonnegative()) })

/** Control API: lets tests change and inspect the state of the stand-in. */
export const control = new Hono<StandInEnv>()
  .post('/__stand-in/reset', (c) => {
    c.get('platform').reset()
    return c.json({})
  })
  .post('/__stand-in/apps', async (c) => {
    const added = await readBody(c, app)
    c.get('platform').apps.set(added.clientKey, added)
    return c.json(added)
  })
  .post('/__stand-in/users', async (c) => {
    const platform = c.get('platform')
    const { targetUser, ...changes } = await readBody(c, user)

    const existing = platform.personas.get(changes.handle)
    const updated = persona.parse({
      ...(existing ?? createPersona({ handle: changes.handle })),
      ...changes,
    })
    platform.personas.set(updated.handle, updated)
    if (existing === undefined || targetUser !== undefined) {
      setTargetUser(platform, updated.handle, targetUser ?? true)
    }
    return c.json(updated)
  })
  .post('/__stand-in/clock', async (c) => {
    const { advance } = await readBody(c, clock)
    await advanceClock(c.get('platform'), advance)
    return c.json({ now: c.get('platform').now() })
  })
  .post('/__stand-in/faults', async (c) => {
    const { faults } = c.get('platform')
    faults.push(await readBody(c, fault))
    return c.json({ waiting: faults.length })
  })
  .post('/__stand-in/switches', async (c) => {
    const platform = c.get('platform')
    platform.switches = switches.parse({
      ...platform.switches,
      ...(await readBody(c, z.partial(switches))),
    })
    return c.json(platform.switches)
  })
  .get('/__stand-in/log', (c) => c.json(c.get('platform').log))
  .get('/__stand-in/state', (c) => c.json(describeState(c.get('platform'))))
  .all('/__stand-in/*', (c) => c.json({ problem: 'There is no such control.' }, 404))
  .onError(respondWithControlError)

function setTargetUser(platform: Platform, handle: string, isTargetUser: boolean): void {
  for (const [clientKey, app] of platform.apps) {
    const others = app.targetUsers.filter((targetUser) => targetUser !== handle)
    const targetUsers = isTargetUser ? [...others, handle] : others
    platform.apps.set(clientKey, { ...app, targetUsers })
  }
}

function describeState(platform: Platform) {
  return {
    now: platform.now(),
    apps: [...platform.apps.keys()],
    users: [...platform.personas.keys()],
    grants: platform.grants.size,
    codes: platform.codes.size,
    accessTokens: platform.accessTokens.size,
    qrLogins: platform.qrLogins.size,
    events: platform.deliveries.length,
    faults: platform.faults.length,
    requests: platform.log.length,
    switches: platform.switches,
  }
}
