import { Hono } from 'hono'
import { malformedRequest, readClientForm } from './client-form.ts'
import { OAuthError } from './errors.ts'
import { findAccessToken } from './grants.ts'
import type { StandInEnv } from './platform.ts'
import { removeAuthorization } from './removal.ts'
import { deliverAfterResponse } from './webhook-delivery.ts'

/** Accepts a valid access token and ends the whole grant. */
export const revoke = new Hono<StandInEnv>().post('/v2/oauth/revoke/', async (c) => {
  const platform = c.get('platform')
  const { app, fields } = await readClientForm(c)
  const accessToken = fields.get('token')
  if (!accessToken) throw malformedRequest()

  const token = findAccessToken(platform, accessToken)
  if (token?.grant.clientKey !== app.clientKey) {
    throw new OAuthError('invalid_grant', 'Access token is invalid or expired.')
  }

  const delivery = await removeAuthorization(platform, token.grant, 'revoked')
  if (delivery !== undefined) await deliverAfterResponse(c, delivery)
  return platform.switches.revokeBody === 'empty' ? c.body(null, 200) : c.json({})
})
