import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { digest } from '../../foundation/crypto/digest.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { ClientMetadataError } from '../client-metadata/client-metadata-error.ts'
import { readClientKeys } from '../client-metadata/read-client-keys.ts'
import type { AppContext } from '../http/app-env.ts'
import { guardObject } from '../limits/guard-object.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { Jwks } from '../registration-schemas/public-keys.ts'
import { requireStorage, UnavailableError } from '../storage/unavailable-error.ts'

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

/** The algorithms that clients may sign assertions with. */
export const ASSERTION_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

const keySets = new WeakMap<Jwks, JWTVerifyGetKey>()

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
 * The thumbprint of the key (RFC 7638) with which the client signed this assertion, or the URL of its
 * keys, if it signed it for us, recently, and presents it for the first time.
 */
export async function findSigningKey(
  c: AppContext,
  client: Client,
  assertion: string,
): Promise<string | undefined> {
  const { issuer } = c.get('config')
  // RFC 7523 §3 and OpenID Connect Core §9 name the token endpoint. RFC 10070 requires the issuer:
  // another server, which the client also uses, could claim to have the same token endpoint.
  const isOlder = client.client_assertion_audience === 'token_endpoint'
  const audiences = isOlder ? [issuer, `${issuer}/oidc/token`] : [issuer]
  const verified = await verifySignature(c, client, { assertion, audience: audiences })
  if (!verified) return undefined
  const { claims, key } = verified
  const now = nowInSeconds()
  const isAcceptable =
    // A list of audiences is rejected: the assertion would be valid at another service too.
    typeof claims.aud === 'string' &&
    Number(claims.exp) <= now + MAX_LIFETIME + CLOCK_SKEW &&
    (claims.iat ?? 0) <= now + CLOCK_SKEW &&
    typeof claims.jti === 'string' &&
    claims.jti !== ''
  if (!isAcceptable) return undefined
  const jti = await digest(String(claims.jti))
  const isFirst = await requireStorage(async () =>
    guardObject(c.env, `assertions ${client.client_id}`).useOnce(
      jti,
      Math.ceil(Number(claims.exp)) + CLOCK_SKEW,
    ),
  )
  if (!isFirst) return undefined
  return client.jwks_uri ?? calculateJwkThumbprint(key)
}

async function verifySignature(
  c: AppContext,
  client: Client,
  { assertion, audience }: { assertion: string; audience: string[] },
): Promise<{ claims: JWTPayload; key: CryptoKey } | undefined> {
  try {
    const { payload, protectedHeader, key } = await jwtVerify(
      assertion,
      verificationKey(c, client),
      {
        issuer: client.client_id,
        subject: client.client_id,
        audience,
        algorithms: [...(client.assertionAlgorithms ?? ASSERTION_ALGORITHMS)],
        clockTolerance: CLOCK_SKEW,
        requiredClaims: ['exp', 'jti'],
      },
    )
    // We support no critical extension, not even the one that jose does (RFC 7797).
    if (protectedHeader.crit !== undefined) return undefined
    // Those of a key set are never of another type.
    return { claims: payload, key: key as CryptoKey }
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof ClientMetadataError) throw error
    // Whatever the reason, including a registered key that cannot be used: the client is not
    // authenticated.
    return undefined
  }
}

/** Selects the key that an assertion names. */
function verificationKey(c: AppContext, client: Client): JWTVerifyGetKey {
  const read = (missingKey: boolean) =>
    readClientKeys(c.env, c.get('config'), { client, missingKey })
  return async (header, token) => {
    if (!client.jwks_uri) return keySet(client.jwks ?? { keys: [] })(header, token)
    try {
      return await keySet(client.jwks ?? (await read(false)))(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    // The client may have added a key since its keys were read.
    return keySet(await read(true))(header, token)
  }
}

function keySet(jwks: Jwks): JWTVerifyGetKey {
  const cached = keySets.get(jwks)
  if (cached) return cached
  const keys = createLocalJWKSet({ keys: jwks.keys as JWK[] })
  keySets.set(jwks, keys)
  return keys
}
