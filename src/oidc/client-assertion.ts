import {
  createLocalJWKSet,
  decodeJwt,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import type { AppContext } from '../config/app-env.ts'
import type { Client } from '../config/clients.ts'
import { digest } from '../crypto/digest.ts'
import { guardObject } from '../limits/guard-object.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { nowInSeconds } from '../values/clock.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc7523#section-2.2} */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/**
 * An assertion is created for one request. One that is valid for longer could be stolen and used
 * later.
 */
const MAX_LIFETIME = 300 // seconds

/** Tolerance for differences between the client's clock and ours. */
const CLOCK_SKEW = 10 // seconds

/** Longer than any assertion. */
const MAX_LENGTH = 8192

const keySets = new WeakMap<Client, JWTVerifyGetKey>()

/** The client an assertion claims to come from. Nothing is verified yet. */
export function claimedClient(assertion: string): string {
  if (assertion.length > MAX_LENGTH) return ''
  try {
    const { sub }: { sub?: unknown } = decodeJwt(assertion)
    return typeof sub === 'string' ? sub : ''
  } catch {
    return ''
  }
}

/**
 * Whether the client signed this assertion for us, recently, and presents it for the first time.
 */
export async function isAssertionValid(
  c: AppContext,
  client: Client,
  assertion: string,
): Promise<boolean> {
  const { issuer } = c.get('config')
  // RFC 7523 §3 and OpenID Connect Core §9 name the token endpoint; newer profiles require the
  // issuer.
  const audiences = [issuer, `${issuer}/oidc/token`]
  const claims = await verifySignature(client, assertion, audiences)
  const now = nowInSeconds()
  const isAcceptable =
    claims !== undefined &&
    // A list of audiences is rejected: the assertion would be valid at another service too.
    typeof claims.aud === 'string' &&
    Number(claims.exp) <= now + MAX_LIFETIME + CLOCK_SKEW &&
    (claims.iat ?? 0) <= now + CLOCK_SKEW &&
    typeof claims.jti === 'string' &&
    claims.jti !== ''
  if (!isAcceptable) return false
  const jti = await digest(String(claims.jti))
  return requireStorage(async () =>
    guardObject(c.env, `assertions ${client.client_id}`).useOnce(
      jti,
      Math.ceil(Number(claims.exp)) + CLOCK_SKEW,
    ),
  )
}

async function verifySignature(
  client: Client,
  assertion: string,
  audience: string[],
): Promise<JWTPayload | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, keySet(client), {
      issuer: client.client_id,
      subject: client.client_id,
      audience,
      algorithms: ['ES256', 'RS256'],
      clockTolerance: CLOCK_SKEW,
      requiredClaims: ['exp', 'jti'],
    })
    // We support no critical extension, not even the one that jose does (RFC 7797).
    return protectedHeader.crit === undefined ? payload : undefined
  } catch {
    // Whatever the reason, including a registered key that cannot be used: the client is not
    // authenticated.
    return undefined
  }
}

function keySet(client: Client): JWTVerifyGetKey {
  const cached = keySets.get(client)
  if (cached) return cached
  const keys = createLocalJWKSet({ keys: (client.jwks?.keys ?? []) as JWK[] })
  keySets.set(client, keys)
  return keys
}
