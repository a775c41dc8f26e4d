import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { customClaims, mergeClaims } from '../callbacks/claims.ts'
import { toCallbackClient } from '../config/callbacks.ts'
import type { AppContext } from '../http/app-env.ts'
import { findClient } from '../registrations/find-client.ts'
import { type PresentedToken, presentedToken } from '../tokens/presented-token.ts'
import { signUserinfo } from '../tokens/sign.ts'
import { summarizeAccount, toCallbackAccount } from '../users/upstream-account.ts'
import { isIssuedTo, requireBearer } from './bearer.ts'
import { accountClaims, platformClaim, selectClaims, userClaims } from './claims.ts'
import { hasForm, readClientForm } from './form.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfo} */
export async function userinfo(c: AppContext): Promise<Response> {
  const config = c.get('config')
  const { token, terms, user, upstream } = await requireBearer(c, await readToken(c))
  const client = await findClient(c.env, config, token.clientId)
  const isForUs = token.audience.includes(config.issuer)
  if (!client || !isIssuedTo(client, token) || !isForUs) {
    throw new OAuthError('invalid_token', 'The access token is not for this endpoint.', {
      challenge: 'Bearer',
    })
  }
  if (!token.scope.includes('openid')) {
    throw new OAuthError('insufficient_scope', 'The scope openid is required.', {
      challenge: 'Bearer',
    })
  }
  const available = {
    ...userClaims(user, client),
    ...accountClaims(upstream),
    ...platformClaim(upstream),
  }
  const requested = { names: terms.claims.userinfo, client }
  const added = await customClaims(config, {
    user: { ...user },
    account: upstream && toCallbackAccount(summarizeAccount(upstream)),
    client: toCallbackClient(client),
    scope: [...token.scope],
    kind: 'userinfo',
  })
  const selected = selectClaims(available, token.scope, requested)
  const claims = { ...mergeClaims(selected, added), sub: user.id }
  c.header('Vary', 'Authorization', { append: true })
  const alg = client.userinfo_signed_response_alg
  if (!alg) return c.json(claims)
  const jwt = await signUserinfo(c.env, config, { alg, clientId: client.client_id, claims })
  return c.body(jwt, 200, { 'Content-Type': 'application/jwt' })
}

/** The access token in the header, or in the form of a POST (RFC 6750 §2.2). */
async function readToken(c: AppContext): Promise<PresentedToken | undefined> {
  const header = c.req.header('Authorization')
  const isFormPost = c.req.method === 'POST' && hasForm(c)
  const inForm = isFormPost ? (await readClientForm(c)).get('access_token') : null
  if (header !== undefined && inForm !== null) {
    throw new OAuthError('invalid_request', 'The access token is sent in two ways.')
  }
  return inForm === null ? presentedToken(header) : { scheme: 'Bearer', token: inForm }
}
