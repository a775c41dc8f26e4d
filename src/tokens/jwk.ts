import { decodeBase64url, encodeBase64url } from '../base64url.ts'
import { parseObject } from '../json.ts'
import { digest } from '../random.ts'

/** ES256 for what is signed often, RS256 for clients that know nothing else. */
export const ALGORITHMS = ['ES256', 'RS256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** {@link https://www.rfc-editor.org/rfc/rfc7518#section-3.1}, with 2048 bits as the least RFC 7518 §3.3 allows. */
const PARAMETERS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
} as const

/** The members of a public key, in the order its thumbprint is made of (RFC 7638 §3.2). */
const MEMBERS = { ES256: ['crv', 'kty', 'x', 'y'], RS256: ['e', 'kty', 'n'] } as const

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
  const pair = await crypto.subtle.generateKey(PARAMETERS[alg], true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new TypeError('This algorithm has no key pairs.')
  const privateJwk = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey
  const members = Object.fromEntries(MEMBERS[alg].map((name) => [name, privateJwk[name]]))
  const kid = await digest(JSON.stringify(members))
  return { publicJwk: { ...members, kty: privateJwk.kty, kid, alg, use: 'sig' }, privateJwk }
}

export function importSigningKey(jwk: JsonWebKey, alg: Algorithm): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', jwk, PARAMETERS[alg], false, ['sign'])
}

const utf8 = new TextEncoder()

/** Signs a JWT (RFC 7519 §7.1) in the compact form of JWS (RFC 7515 §5.1). */
export async function signJwt(
  header: { alg: Algorithm; kid: string; typ?: string },
  claims: Record<string, unknown>,
  key: CryptoKey,
): Promise<string> {
  const input = `${encodeBase64url(JSON.stringify(header))}.${encodeBase64url(JSON.stringify(claims))}`
  const signature = await crypto.subtle.sign(PARAMETERS[header.alg], key, utf8.encode(input))
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
export type VerifyingKeys = ReadonlyMap<string, { alg: Algorithm; key: CryptoKey }>

/**
 * What a JWT says, if one of these keys signed it. The algorithm is the key's, whatever the
 * token claims (RFC 8725 §3.1); what else it must say is for the caller to compare.
 */
export async function verifyJwt(
  token: string,
  keys: VerifyingKeys,
): Promise<{ header: Parsed; claims: Parsed } | undefined> {
  const { header, claims, signature } = parseJwt(token) ?? {}
  const kid = header?.['kid']
  const known = keys.get(typeof kid === 'string' ? kid : ONLY_KEY)
  if (!header || !claims || !signature || !known) return undefined
  if (header['alg'] !== known.alg || header['crit'] !== undefined) return undefined
  const input = utf8.encode(token.slice(0, token.lastIndexOf('.')))
  const isGood = await crypto.subtle.verify(PARAMETERS[known.alg], known.key, signature, input)
  return isGood ? { header, claims } : undefined
}

/** What a public key is made of. */
type KeyMembers = { [member in (typeof MEMBERS)[Algorithm][number]]?: unknown }

export function importVerifyingKey(jwk: KeyMembers, alg: Algorithm): Promise<CryptoKey> {
  // The members that make the key, whatever else is said of it.
  const members = MEMBERS[alg].map((name) => [name, jwk[name]])
  const key = Object.fromEntries(members) as JsonWebKey
  return crypto.subtle.importKey('jwk', key, PARAMETERS[alg], false, ['verify'])
}

function parsePart(part: string): Parsed | undefined {
  return parseObject(new TextDecoder().decode(decodeBase64url(part)))
}
