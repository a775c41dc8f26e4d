import { Hono } from 'hono'
import { deliverLater } from './background.ts'
import { malformed, readClientForm } from './client-form.ts'
import { OAuthError } from './errors.ts'
import { findAccessToken } from './grants.ts'
import type { StandInEnv } from './platform.ts'
import { removeAuthorization } from './removal.ts'

/** Takes a live access token, and with it the whole grant goes. */
export const revoke = new Hono<StandInEnv>().post('/v2/oauth/revoke/', async (c) => {
  const platform = c.get('platform')
  const { app, fields } = await readClientForm(c)
  const shown = fields.get('token')
  if (!shown) throw malformed()

  const token = findAccessToken(platform, shown)
  if (token?.grant.clientKey !== app.clientKey) {
    throw new OAuthError('invalid_grant', 'Access token is invalid or expired.')
  }

  const delivery = await removeAuthorization(platform, token.grant, 'revoked')
  if (delivery !== undefined) await deliverLater(c, delivery)
  return platform.switches.revokeBody === 'empty' ? c.body(null, 200) : c.json({})
})
