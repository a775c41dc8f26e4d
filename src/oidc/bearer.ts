import type { AppContext } from '../config/app-env.ts'
import type { Client } from '../config/clients.ts'
import { OAuthError } from '../errors/oauth-error.ts'
import type { GrantTerms } from '../grants/grant.ts'
import { clientIp } from '../http/client-ip.ts'
import { limitTokenRequests } from '../limits/rate-limit.ts'
import { type AccessToken, verifyAccessToken } from '../tokens/verify.ts'
import type { UpstreamAccount } from '../users/upstream-account.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'

/** An access token that was presented to us, with its grant, which is still valid. */
interface Bearer {
  token: AccessToken
  terms: GrantTerms
  user: UserRecord
  upstream: UpstreamAccount | undefined
}

/** Whether a token was issued to this client, and not to a deleted one that had the same id. */
export function isIssuedTo(client: Client, { clientId, claims }: AccessToken): boolean {
  return clientId === client.client_id && (claims.iat ?? 0) >= (client.registeredAt ?? 0)
}

/** Verifies an access token (RFC 6750 §2) and that its grant is still valid. */
export async function requireBearer(c: AppContext, presented: string | undefined): Promise<Bearer> {
  if (!presented) {
    throw new OAuthError('invalid_token', 'The access token is missing.', {
      challenge: 'Bearer',
      hasNoCredentials: true,
    })
  }
  const token = await verifyAccessToken(c.env, c.get('config'), presented)
  const grantOrIp = token?.grantId ?? clientIp(c)
  if (grantOrIp !== undefined) await limitTokenRequests(c.env, grantOrIp)
  const grant =
    token &&
    (await callUserObject(c.env, token.userId, (object) => object.readGrant(token.grantId)))
  if (!token || !grant) {
    throw new OAuthError('invalid_token', 'The access token is invalid, expired or revoked.', {
      challenge: 'Bearer',
    })
  }
  return { token, ...grant }
}
