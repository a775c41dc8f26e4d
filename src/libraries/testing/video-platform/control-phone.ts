import { Hono } from 'hono'
import * as z from 'zod/mini'
import { readBody, respondWithControlError } from './control-body.ts'
import type { StandInEnv } from './platform.ts'
import { decideLogin, ScanError, scanCode } from './qr-scan.ts'
import { splitScopes } from './scopes.ts'

const phoneAction = z.object({
  /** The content of the QR code, with the app's ticket filled in. */
  link: z.string(),
  user: z.string(),
  /** The allowed scopes joined by commas, or `deny`. Without it, the code is only scanned. */
  grant: z.optional(z.string()),
})

/** Control API: scans a QR code and decides about it, in place of a user with a phone. */
export const controlPhone = new Hono<StandInEnv>()
  .post('/__stand-in/phone', async (c) => {
    const platform = c.get('platform')
    const { link, user, grant } = await readBody(c, phoneAction)
    const persona = platform.personas.get(user)
    if (persona === undefined) return c.json({ problem: 'There is no such user.' }, 400)

    try {
      const login = scanCode(platform, persona, link)
      if (grant !== undefined) {
        const scopes = grant === 'deny' ? 'none' : splitScopes(grant)
        decideLogin(platform, login, { persona, scopes })
      }
      return c.json({ status: login.statusAt(platform.now()) })
    } catch (error) {
      if (error instanceof ScanError) return c.json({ problem: error.message }, 400)
      throw error
    }
  })
  .onError(respondWithControlError)
