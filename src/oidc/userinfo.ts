import { OAuthError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { mintForClient } from '../tokens/sign.ts'
import { claimsOf } from '../users/user.ts'
import { bearerIn, readBearer } from './bearer.ts'
import { claimsFor, platformClaim } from './claims.ts'
import { isForm, readForm } from './form.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfo} */
export async function userinfo(c: AppContext): Promise<Response> {
  const inHeader = c.req.header('Authorization')
  // A body of another type holds no token (RFC 6750 §2.2), and is nothing to us.
  const hasForm = c.req.method === 'POST' && isForm(c)
  const inBody = hasForm ? (await readForm(c)).get('access_token') : null
  if (inHeader !== undefined && inBody !== null) {
    throw new OAuthError('invalid_request', 'The access token is shown in two ways at once.')
  }
  const config = c.get('config')
  const { token, terms, user, upstream } = await readBearer(c, inBody ?? bearerIn(inHeader))
  const client = config.clients.find(({ client_id }) => client_id === token.clientId)
  if (!client || !token.audience.includes(config.issuer)) {
    throw new OAuthError('invalid_token', 'The access token is not for this endpoint.', {
      challenge: 'Bearer',
    })
  }
  if (!token.scope.includes('openid')) {
    throw new OAuthError('insufficient_scope', 'The scope openid is needed.', {
      challenge: 'Bearer',
    })
  }
  const asked = { names: terms.claims.userinfo, client }
  const known = { ...claimsOf(user), ...platformClaim(upstream) }
  const claims = { sub: user.id, ...claimsFor(known, token.scope, asked) }
  c.header('Vary', 'Authorization', { append: true })
  const alg = client.userinfo_signed_response_alg
  if (!alg) return c.json(claims)
  c.header('Content-Type', 'application/jwt')
  return c.body(
    await mintForClient(c.env, config, alg, {
      ...claims,
      aud: client.client_id,
      token_use: 'userinfo',
    }),
  )
}
