import { seconds } from '../clock.ts'
import type { Client } from '../config/clients.ts'
import { digest } from '../crypto/random.ts'
import type { AppContext } from '../http/app-env.ts'
import { guardObject } from '../limits/guard-object.ts'
import {
  importVerifyingKey,
  ONLY_KEY,
  parseJwt,
  type VerifyingKeys,
  verifyJwt,
} from '../tokens/jwk.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc7523#section-2.2} */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** An assertion is made for one request: who signs them for later has lost control of them. */
const LONGEST_LIFE = 300 // seconds

/** Clocks differ a little. */
const SKEW = 10 // seconds

const imported = new WeakMap<Client, VerifyingKeys>()

/** Whom an assertion claims to be of. */
export function claimedClient(assertion: string): string {
  const sub = parseJwt(assertion)?.claims['sub']
  return typeof sub === 'string' ? sub : ''
}

/** Whether this client signed that for us, just now, and shows it for the first time. */
export async function isAssertionOf(
  c: AppContext,
  client: Client,
  assertion: string,
): Promise<boolean> {
  const { claims } = (await verifyJwt(assertion, await keysOf(client))) ?? {}
  const now = seconds()
  const { iss, sub, aud, exp, nbf, iat, jti } = claims ?? {}
  const isMeant =
    iss === client.client_id &&
    sub === client.client_id &&
    // The issuer and nothing else: an assertion for another service is no use here, and ours is none there.
    aud === c.get('config').issuer &&
    isTime(exp) &&
    exp > now - SKEW &&
    exp <= now + LONGEST_LIFE + SKEW &&
    [nbf, iat].every((time) => time === undefined || (isTime(time) && time <= now + SKEW)) &&
    typeof jti === 'string' &&
    jti !== ''
  if (!isMeant) return false
  const guard = guardObject(c.env, `assertions ${client.client_id}`)
  return guard.useOnce(await digest(jti), exp + SKEW)
}

async function keysOf(client: Client): Promise<VerifyingKeys> {
  const known = imported.get(client)
  if (known) return known
  const registered = client.jwks?.keys ?? []
  const keys: [string, { alg: 'ES256' | 'RS256'; key: CryptoKey }][] = []
  for (const jwk of registered) {
    const alg = jwk.kty === 'EC' ? 'ES256' : 'RS256'
    const key = await importVerifyingKey(jwk, alg)
    if (jwk.kid) keys.push([jwk.kid, { alg, key }])
    if (registered.length === 1) keys.push([ONLY_KEY, { alg, key }])
  }
  const all = new Map(keys)
  imported.set(client, all)
  return all
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
