import type { JWTPayload } from 'jose'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import type { AppContext } from '../http/app-env.ts'
import { countedNetwork } from '../http/client-ip.ts'
import { limitTokenRequests } from '../limits/rate-limit.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { PresentedToken } from '../tokens/presented-token.ts'
import { type AccessToken, isTokenRevoked, verifyAccessToken } from '../tokens/verify.ts'
import { callUserObject } from '../users/user-object.ts'
import { findBoundTokens } from './bound-tokens.ts'

/** Whether a token was issued to this client, and not to a deleted one that had the same id. */
export function isIssuedTo(client: Client, { clientId, claims }: AccessToken): boolean {
  return clientId === client.client_id && (claims.iat ?? 0) >= (client.registeredAt ?? 0)
}

/**
 * What the user's object knows of the grant of a token. Undefined if it has ended, or if the client
 * has lost a credential: since then, or until fifteen seconds ago.
 */
export async function readValidGrant(
  c: AppContext,
  token: AccessToken,
  when: 'now' | 'recently' = 'now',
) {
  const { userId, grantId } = token
  const [grant, isRevoked] = await Promise.all([
    callUserObject(c.env, userId, (object) => object.readGrant(grantId)),
    isTokenRevoked(c.env, c.get('config'), token, when),
  ])
  return isRevoked ? undefined : grant
}

/**
 * Requires the proof of a feature that the sender has the key of a bound token. Without the feature,
 * such a token is not accepted.
 */
export async function requirePossession(
  c: AppContext,
  presented: PresentedToken,
  claims: JWTPayload,
): Promise<void> {
  if (presented.scheme === 'Bearer' && claims['cnf'] === undefined) return
  const boundTokens = findBoundTokens(c.get('config'))
  if (boundTokens) return boundTokens.verifyPossession(c, { ...presented, claims })
  throw new OAuthError('invalid_token', 'Tokens that are bound to a key are not accepted.', {
    challenge: 'Bearer',
  })
}

/** Verifies an access token (RFC 6750 §2) and that its grant is still valid. Returns both. */
export async function requireBearer(c: AppContext, presented: PresentedToken | undefined) {
  if (!presented) {
    throw new OAuthError('invalid_token', 'The access token is missing.', {
      challenge: 'Bearer',
      hasNoCredentials: true,
    })
  }
  const token = await verifyAccessToken(c.env, c.get('config'), presented.token)
  await limitTokenRequests(c.env, token?.grantId ?? countedNetwork(c))
  const grant = token && (await readValidGrant(c, token, 'recently'))
  if (!token || !grant) {
    throw new OAuthError('invalid_token', 'The access token is invalid, expired or revoked.', {
      challenge: 'Bearer',
    })
  }
  // After the grant: the proof is remembered, which nobody can cause with a revoked token.
  await requirePossession(c, presented, token.claims)
  return { token, ...grant }
}
