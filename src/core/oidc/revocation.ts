import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import { verifyMachineToken } from '../tokens/verify.ts'
import { callUserObject } from '../users/user-object.ts'
import { authenticateClient } from './client-authentication.ts'
import { readClientForm } from './form.ts'
import { grantReader, limitByGrant } from './presented-grant.ts'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc7009}: ends the token's grant. Unknown tokens and those
 * of other clients are ignored.
 */
export async function revoke(c: AppContext): Promise<Response> {
  const form = await readClientForm(c)
  const token = form.get('token') ?? ''
  const readGrant = grantReader(c, token)
  const client = await authenticateClient(c, form, () => limitByGrant(c, readGrant))
  if (!token) throw new OAuthError('invalid_request', 'token is missing.')
  const config = c.get('config')
  const { refreshToken, accessToken } = await readGrant()
  const found = refreshToken ?? accessToken
  if (found) {
    const isEnded = await callUserObject(c.env, found.userId, (object) =>
      object.endGrant(found.grantId, client.client_id),
    )
    if (isEnded) addToLog(c, { event: 'revoked', userId: found.userId })
    return c.body(null, 200)
  }
  const machineToken = await verifyMachineToken(c.env, config, token)
  if (machineToken?.clientId === client.client_id) {
    throw new OAuthError('unsupported_token_type', 'Tokens without a user cannot be revoked.')
  }
  return c.body(null, 200)
}
