import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { openHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import { verifyAccessToken, verifyMachineToken } from '../tokens/verify.ts'
import { callUserObject } from '../users/user-object.ts'
import { authenticateClient } from './client-authentication.ts'
import { readClientForm } from './form.ts'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc7009}: ends the token's grant. Unknown tokens and those
 * of other clients are ignored.
 */
export async function revoke(c: AppContext): Promise<Response> {
  const form = await readClientForm(c)
  const client = await authenticateClient(c, form)
  const token = form.get('token')
  if (!token) throw new OAuthError('invalid_request', 'token is missing.')
  const config = c.get('config')
  const found =
    (await openHandle(config, 'refresh', token)) ?? (await verifyAccessToken(c.env, config, token))
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
