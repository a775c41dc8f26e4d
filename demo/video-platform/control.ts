import { Hono } from 'hono'
import * as z from 'zod/mini'
import { app } from './apps.ts'
import { answerControlError, readBody } from './control-body.ts'
import { fault } from './faults.ts'
import { completePersona, persona } from './personas.ts'
import type { Platform, StandInEnv } from './platform.ts'
import { switches } from './switches.ts'
import { moveClock } from './webhooks.ts'

const user = z.extend(z.partial(persona), {
  handle: persona.shape.handle,
  /** Whether every sandbox invites them: a newcomer yes, anyone else as before. */
  targetUser: z.optional(z.boolean()),
})

const clock = z.object({ advance: z.int().check(z.nonnegative()) })

/** What a test, and nobody else, can ask of the platform. */
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
    const { targetUser, ...given } = await readBody(c, user)

    const before = platform.personas.get(given.handle)
    const ordinary = completePersona({ handle: given.handle })
    const changed = persona.parse({ ...(before ?? ordinary), ...given })
    platform.personas.set(given.handle, changed)
    const isNewcomer = before === undefined
    if (isNewcomer || targetUser !== undefined) invite(platform, given.handle, targetUser ?? true)
    return c.json(changed)
  })
  .post('/__stand-in/clock', async (c) => {
    const { advance } = await readBody(c, clock)
    await moveClock(c.get('platform'), advance)
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
  .get('/__stand-in/state', (c) => c.json(describe(c.get('platform'))))
  .all('/__stand-in/*', (c) => c.json({ problem: 'There is no such control.' }, 404))
  .onError(answerControlError)

function invite(platform: Platform, handle: string, isInvited: boolean): void {
  for (const [clientKey, app] of platform.apps) {
    const others = app.targetUsers.filter((invited) => invited !== handle)
    const targetUsers = isInvited ? [...others, handle] : others
    platform.apps.set(clientKey, { ...app, targetUsers })
  }
}

function describe(platform: Platform) {
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
