import type { Config } from '../config.ts'
import { claimsOf } from '../users/user.ts'
import type { Session } from '../users/user-object.ts'
import { signJwt } from './jwk.ts'
import { readKeyring } from './keyring.ts'

/** As long as an API may go on believing in a session that has ended. */
const SESSION_TOKEN_LIFETIME = 300 // seconds

/**
 * The person as a JWT that any API verifies through our JWKS. `aud` is the app it was made for, or this
 * service; `token_use` tells it from every other token we will ever sign.
 */
export async function mintSessionToken(
  env: Env,
  config: Config,
  session: Session,
  audience: string | undefined,
): Promise<string> {
  const { kid, key } = (await readKeyring(env, config)).signingKey('ES256')
  const now = Math.floor(Date.now() / 1000)
  return signJwt(
    { alg: 'ES256', typ: 'JWT', kid },
    {
      iss: config.issuer,
      sub: session.user.id,
      aud: audience ?? config.issuer,
      iat: now,
      exp: now + SESSION_TOKEN_LIFETIME,
      auth_time: session.authenticatedAt,
      sid: session.sid,
      token_use: 'session',
      ...claimsOf(session.user),
    },
    key,
  )
}
