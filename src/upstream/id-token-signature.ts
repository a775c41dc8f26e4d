import { algorithmOf, importVerifyingKey, ONLY_KEY, parseJwt, verifyJwt } from '../tokens/jwk.ts'
import { metadataFetch } from './bounded-fetch.ts'
import { refusal, refused } from './refusal.ts'

/** A provider publishes a new key some time before it signs with it. */
const USUAL_AGE = 300_000 // milliseconds

/** Who shows tokens with made-up keys does not have us ask the provider each time. */
const LEAST_AGE = 60_000 // milliseconds

/** Refuses an ID token that was not signed with a key of the provider's. What it says is checked elsewhere. */
export async function verifySignature(jwksUri: string, idToken: string): Promise<void> {
  const { header = {} } = parseJwt(idToken, idToken.length) ?? {}
  const jwk =
    pick(await readKeys(jwksUri, USUAL_AGE), header) ??
    pick(await readKeys(jwksUri, LEAST_AGE), header)
  if (!jwk) throw refused('No one key fits the ID token.')
  const alg = String(header['alg'])
  const key = await importVerifyingKey(jwk, alg).catch(() => undefined)
  const keys = new Map(key && [[String(header['kid'] ?? ONLY_KEY), { alg, key }]])
  if (!(await verifyJwt(idToken, keys, idToken.length)))
    throw refused('The ID token is not signed by its key.')
}

type Jwk = Partial<JsonWebKey> & { kid?: string }

/** The one key it can be. Of several nobody knows which is meant. */
function pick(keys: readonly Jwk[], { alg, kid }: Record<string, unknown>): Jwk | undefined {
  const { kty, namedCurve } = algorithmOf(String(alg))
  const fitting = keys.filter(
    (jwk) =>
      jwk.kty === kty &&
      jwk.crv === namedCurve &&
      (jwk.use ?? 'sig') === 'sig' &&
      (jwk.key_ops ?? ['verify']).includes('verify') &&
      (jwk.alg ?? alg) === alg &&
      (kid === undefined || jwk.kid === kid),
  )
  return fitting.length === 1 ? fitting[0] : undefined
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
