import { SignInError } from '../errors.ts'
import { parseJwt } from '../tokens/jwk.ts'
import { metadataFetch } from './bounded-fetch.ts'
import { refusal } from './refusal.ts'

/** A provider publishes a new key some time before it signs with it. */
const USUAL_AGE = 300_000 // milliseconds

/** Who shows tokens with made-up keys does not have us ask the provider each time. */
const LEAST_AGE = 60_000 // milliseconds

/** RFC 7518 §3.3, in bits. */
const SHORTEST_RSA_KEY = 2048

/** Refuses an ID token that was not signed with a key of the provider's. What it says is checked elsewhere. */
export async function verifySignature(jwksUri: string, idToken: string): Promise<void> {
  const { header, signature } = parseJwt(idToken, idToken.length) ?? {}
  const algorithm = algorithmOf(String(header?.['alg']))
  if (!header || !signature || !algorithm) throw refused('The ID token is signed in a strange way.')
  const jwk =
    pick(await readKeys(jwksUri, USUAL_AGE), header, algorithm) ??
    pick(await readKeys(jwksUri, LEAST_AGE), header, algorithm)
  if (!jwk) throw refused('No one key fits the ID token.')
  const input = new TextEncoder().encode(idToken.slice(0, idToken.lastIndexOf('.')))
  const key = await importKey(jwk, algorithm)
  if (!key || !(await crypto.subtle.verify(algorithm, key, signature, input))) {
    throw refused('The ID token is not signed by its key.')
  }
}

/** {@link https://www.rfc-editor.org/rfc/rfc7518#section-3.1}, and RFC 8037 §3.1. */
function algorithmOf(alg: string) {
  if (alg === 'EdDSA' || alg === 'Ed25519')
    return { name: 'Ed25519', kty: 'OKP', namedCurve: 'Ed25519' }
  const [, family, bits] = /^([REP]S)(256|384|512)$/.exec(alg) ?? []
  const hash = `SHA-${bits}`
  switch (family) {
    case 'RS':
      return { name: 'RSASSA-PKCS1-v1_5', kty: 'RSA', hash }
    case 'PS':
      return { name: 'RSA-PSS', kty: 'RSA', hash, saltLength: Number(bits) / 8 }
    case 'ES':
      return { name: 'ECDSA', kty: 'EC', hash, namedCurve: `P-${bits === '512' ? '521' : bits}` }
    default:
      return undefined
  }
}

type Jwk = Partial<JsonWebKey> & { kid?: string }

/** The one key it can be. Of several nobody knows which is meant. */
function pick(
  keys: readonly Jwk[],
  { alg, kid }: Record<string, unknown>,
  { kty, namedCurve }: { kty: string; namedCurve?: string },
): Jwk | undefined {
  const fitting = keys.filter(
    (jwk) =>
      jwk.kty === kty &&
      jwk.crv === namedCurve &&
      (jwk.use ?? 'sig') === 'sig' &&
      (jwk.alg ?? alg) === alg &&
      (kid === undefined || jwk.kid === kid),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** A key that is no key, or a weak one, verifies nothing. */
async function importKey(jwk: Jwk, algorithm: NonNullable<ReturnType<typeof algorithmOf>>) {
  // The members that make the key, whatever else is said of it.
  const { kty, n, e, crv, x, y } = jwk
  const members = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }
  const key = await crypto.subtle
    .importKey('jwk', members as JsonWebKey, algorithm, false, ['verify'])
    .catch(() => undefined)
  const { modulusLength = SHORTEST_RSA_KEY } = { ...key?.algorithm } as { modulusLength?: number }
  return modulusLength < SHORTEST_RSA_KEY ? undefined : key
}

const keySets = new Map<string, { keys: readonly Jwk[]; readAt: number }>()

/** The keys a provider publishes, read again at this age. */
async function readKeys(jwksUri: string, age: number): Promise<readonly Jwk[]> {
  const known = keySets.get(jwksUri)
  if (known && Date.now() - known.readAt < age) return known.keys
  const response = await metadataFetch(jwksUri)
  if (!response.ok) throw refusal(response)
  const keys = (await response.json<{ keys?: unknown } | null>())?.keys
  if (!isKeyList(keys)) throw refused('The provider publishes no list of keys.')
  keySets.set(jwksUri, { keys, readAt: Date.now() })
  return keys
}

function isKeyList(keys: unknown): keys is readonly Jwk[] {
  return Array.isArray(keys) && keys.every((key) => key && typeof key === 'object')
}

function refused(hint: string): SignInError {
  return new SignInError('provider_invalid', { detail: { hint } })
}
