import { OAuthError } from '../errors.ts'
import type { GrantTerms } from '../grants/grant.ts'
import type { AppContext } from '../http/app-env.ts'
import { type AccessToken, verifyAccessToken } from '../tokens/verify.ts'
import type { Upstream } from '../users/session.ts'
import type { UserRecord } from '../users/user.ts'
import { userObject } from '../users/user-object.ts'
import { decide } from './decide.ts'

/** A token that was shown to us, and the grant behind it, which is alive. */
export interface Bearer {
  token: AccessToken
  terms: GrantTerms
  user: UserRecord
  upstream: Upstream | undefined
}

/** Who shows this access token (RFC 6750 §2), if the grant it was made under still lives. */
export async function readBearer(c: AppContext, shown: string | undefined): Promise<Bearer> {
  if (!shown)
    throw new OAuthError('invalid_token', 'No access token was shown.', {
      challenge: 'Bearer',
      isSilent: true,
    })
  const token = await verifyAccessToken(c.env, c.get('config'), shown)
  const alive =
    token && (await decide(async () => userObject(c.env, token.userId).readGrant(token.grantId)))
  if (!token || !alive)
    throw new OAuthError('invalid_token', 'The access token is invalid or has ended.', {
      challenge: 'Bearer',
    })
  return { token, ...alive }
}

/** The token in the header, whatever it is. The scheme is written in any case (RFC 9110 §11.1); other schemes are none. */
export function bearerIn(header: string | undefined): string | undefined {
  return header?.match(/^bearer +(.+)$/i)?.[1]
}
