import { isPublicClient } from '../config/clients.ts'
import { OAuthError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { findClient } from '../registrations/find-client.ts'
import { verifyAccessToken } from '../tokens/verify.ts'
import { callUserObject } from '../users/user-object.ts'
import { authenticateClient } from './client-authentication.ts'
import { readClientForm } from './form.ts'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc7662}: for the client that a token was issued to, and
 * the API it is for.
 */
export async function introspect(c: AppContext): Promise<Response> {
  const form = await readClientForm(c)
  const client = await authenticateClient(c, form)
  if (isPublicClient(client)) {
    throw new OAuthError('unauthorized_client', 'Public clients cannot introspect tokens.')
  }
  const config = c.get('config')
  const token = await verifyAccessToken(c.env, config, form.get('token') ?? '')
  if (!token || !(await findClient(c.env, config, token.clientId))) return c.json({ active: false })
  const mayIntrospect =
    token.clientId === client.client_id ||
    token.audience.some((audience) => client.introspects.includes(audience))
  if (!mayIntrospect) return c.json({ active: false })
  const grant = await callUserObject(c.env, token.userId, (object) =>
    object.readGrant(token.grantId),
  )
  if (!grant) return c.json({ active: false })
  const { iss, sub, aud, exp, iat, jti, client_id, scope } = token.claims
  return c.json({
    active: true,
    token_type: 'Bearer',
    iss,
    sub,
    aud,
    exp,
    iat,
    jti,
    client_id,
    scope,
  })
}
