import { decodeBase64url, encodeBase64url } from '../crypto/base64url.ts'
import { digest } from '../crypto/random.ts'
import { parseObject } from '../json.ts'

/** ES256 for what is signed often, RS256 for clients that know nothing else. */
export const ALGORITHMS = ['ES256', 'RS256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** {@link https://www.rfc-editor.org/rfc/rfc7518#section-3.1}, and RFC 8037 §3.1. */
export function algorithmOf(alg: string) {
  if (alg === 'EdDSA' || alg === 'Ed25519')
    return { name: 'Ed25519', kty: 'OKP', namedCurve: 'Ed25519' }
  const [, family, bits] = /^([REP]S)(256|384|512)$/.exec(alg) ?? []
  const hash = `SHA-${bits}`
  if (family === 'RS') return { name: 'RSASSA-PKCS1-v1_5', kty: 'RSA', hash }
  if (family === 'PS') return { name: 'RSA-PSS', kty: 'RSA', hash, saltLength: Number(bits) / 8 }
  if (family === 'ES')
    return { name: 'ECDSA', kty: 'EC', hash, namedCurve: `P-${bits === '512' ? '521' : bits}` }
  throw new RangeError('There is no such algorithm.')
}

/** The members of a public key, in the order its thumbprint is made of (RFC 7638 §3.2). */
const MEMBERS = ['crv', 'e', 'kty', 'n', 'x', 'y'] as const

/** The least RFC 7518 §3.3 allows, in bits. */
const SHORTEST_RSA_KEY = 2048

/** A public key as it is published. */
export interface PublicJwk extends JsonWebKey {
  kid: string
  alg: Algorithm
  use: 'sig'
}

/** A new key pair, named by its thumbprint. */
export async function makeKeyPair(
  alg: Algorithm,
): Promise<{ publicJwk: PublicJwk; privateJwk: JsonWebKey }> {
  const parameters = {
    ...algorithmOf(alg),
    modulusLength: SHORTEST_RSA_KEY,
    publicExponent: new Uint8Array([1, 0, 1]),
  }
  const pair = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify'])
  const { privateKey } = pair as CryptoKeyPair
  const privateJwk = (await crypto.subtle.exportKey('jwk', privateKey)) as JsonWebKey
  const members = publicMembers(privateJwk)
  const kid = await digest(JSON.stringify(members))
  return { publicJwk: { ...members, kid, alg, use: 'sig' }, privateJwk }
}

/** The members that make a public key, whatever else is said of it. */
function publicMembers(jwk: KeyMembers): JsonWebKey {
  const names = MEMBERS.filter((name) => jwk[name] !== undefined)
  const members = Object.fromEntries(names.map((name) => [name, jwk[name] ?? '']))
  return members as { kty: string }
}

export function importSigningKey(jwk: JsonWebKey, alg: Algorithm): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', jwk, algorithmOf(alg), false, ['sign'])
}

const utf8 = new TextEncoder()

/** Signs a JWT (RFC 7519 §7.1) in the compact form of JWS (RFC 7515 §5.1). */
export async function signJwt(
  header: { alg: Algorithm; kid: string; typ?: string },
  claims: Record<string, unknown>,
  key: CryptoKey,
): Promise<string> {
  const input = `${encodeBase64url(JSON.stringify(header))}.${encodeBase64url(JSON.stringify(claims))}`
  const signature = await crypto.subtle.sign(algorithmOf(header.alg), key, utf8.encode(input))
  return `${input}.${encodeBase64url(new Uint8Array(signature))}`
}

/** Longer tokens are not ours, and not worth parsing. */
const LONGEST_JWT = 8192

type Parsed = Record<string, unknown>

/** The parts of what looks like a JWT. Nothing in it has been checked. */
export function parseJwt(
  token: string,
  longest = LONGEST_JWT,
): { header: Parsed; claims: Parsed; signature: Uint8Array } | undefined {
  const [first = '', second = '', third = '', ...rest] = token.slice(0, longest + 1).split('.')
  const [header, claims, signature] = [parsePart(first), parsePart(second), decodeBase64url(third)]
  if (token.length > longest || rest.length > 0 || !header || !claims || !signature)
    return undefined
  return { header, claims, signature }
}

/** The name of a key that needs none, because there is no other. */
export const ONLY_KEY = ''

/** Keys by their `kid`. */
export type VerifyingKeys = ReadonlyMap<string, { alg: string; key: CryptoKey }>

/**
 * What a JWT says, if one of these keys signed it. The algorithm is the key's, whatever the
 * token claims (RFC 8725 §3.1); what else it must say is for the caller to compare.
 */
export async function verifyJwt(
  token: string,
  keys: VerifyingKeys,
  longest = LONGEST_JWT,
): Promise<{ header: Parsed; claims: Parsed } | undefined> {
  const { header, claims, signature } = parseJwt(token, longest) ?? {}
  const kid = header?.['kid']
  const known = keys.get(typeof kid === 'string' ? kid : ONLY_KEY)
  if (!header || !claims || !signature || !known) return undefined
  if (header['alg'] !== known.alg || header['crit'] !== undefined) return undefined
  const input = utf8.encode(token.slice(0, token.lastIndexOf('.')))
  const isGood = await crypto.subtle.verify(algorithmOf(known.alg), known.key, signature, input)
  return isGood ? { header, claims } : undefined
}

/** What a public key is made of. */
type KeyMembers = { [member in (typeof MEMBERS)[number]]?: string | undefined }

/** A key that verifies. What is no key, or a weak one, is refused. */
export async function importVerifyingKey(jwk: KeyMembers, alg: string): Promise<CryptoKey> {
  const algorithm = algorithmOf(alg)
  const key = await crypto.subtle.importKey('jwk', publicMembers(jwk), algorithm, false, ['verify'])
  const { modulusLength = SHORTEST_RSA_KEY } = { ...key.algorithm } as { modulusLength?: number }
  if (modulusLength < SHORTEST_RSA_KEY) throw new RangeError('The key is too short.')
  return key
}

function parsePart(part: string): Parsed | undefined {
  return parseObject(new TextDecoder().decode(decodeBase64url(part)))
}
