import { Hono } from 'hono'
import * as z from 'zod/mini'
import { answerControlError, readBody } from './control-body.ts'
import { decide, ScanError, scan } from './phone.ts'
import type { StandInEnv } from './platform.ts'
import { splitScopes } from './scopes.ts'

const gesture = z.object({
  /** What the QR code says, the app's ticket filled in. */
  link: z.string(),
  user: z.string(),
  /** The scopes allowed, joined by commas, or `deny`; without it the code is only scanned. */
  grant: z.optional(z.string()),
})

/** Plays the phone for a test, which has neither hands nor a camera. */
export const controlPhone = new Hono<StandInEnv>()
  .post('/__stand-in/phone', async (c) => {
    const platform = c.get('platform')
    const { link, user, grant } = await readBody(c, gesture)
    const persona = platform.personas.get(user)
    if (persona === undefined) return c.json({ problem: 'There is no such user.' }, 400)

    try {
      const login = scan(platform, persona, link)
      if (grant !== undefined) {
        decide(platform, login, { persona, scopes: grant === 'deny' ? 'none' : splitScopes(grant) })
      }
      return c.json({ status: login.statusAt(platform.now()) })
    } catch (error) {
      if (error instanceof ScanError) return c.json({ problem: error.message }, 400)
      throw error
    }
  })
  .onError(answerControlError)
