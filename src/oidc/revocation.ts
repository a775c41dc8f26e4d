import { OAuthError } from '../errors.ts'
import { openHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import { note } from '../http/request-log.ts'
import { verifyAccessToken } from '../tokens/verify.ts'
import { userObject } from '../users/user-object.ts'
import { authenticateClient } from './client-authentication.ts'
import { decide } from './decide.ts'
import { readForm } from './form.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc7009}: ends the grant. What is unknown or another client's is no error, and no effect. */
export async function revoke(c: AppContext): Promise<Response> {
  const form = await readForm(c)
  const client = await authenticateClient(c, form)
  const token = form.get('token')
  if (!token) throw new OAuthError('invalid_request', 'token is missing.')
  const config = c.get('config')
  const found =
    (await openHandle(config, 'refresh', token)) ?? (await verifyAccessToken(c.env, config, token))
  if (found) {
    const hasEnded = await decide(async () =>
      userObject(c.env, found.userId).endGrant(found.grantId, client.client_id),
    )
    if (hasEnded) note(c, { event: 'revoked', userId: found.userId })
  }
  return c.body(null, 200)
}
