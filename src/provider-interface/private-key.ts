import { parseJsonObject } from '../foundation/values/json.ts'

/** The parts of a JWK that determine how it signs (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2). */
interface KeyType {
  kty?: unknown
  crv?: unknown
  alg?: unknown
}

/** The algorithm of each key type, if the key does not name one. */
const ALGORITHMS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'RSA ': ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'EC P-521': ['ES512'],
  'OKP Ed25519': ['EdDSA', 'Ed25519'],
}

/** The algorithm that a private key signs with, or `undefined` if it cannot be used. */
export function signingAlgorithm({ kty, crv, alg }: KeyType): string | undefined {
  const algorithms = ALGORITHMS[`${kty} ${kty === 'RSA' ? '' : crv}`]
  if (alg === undefined) return algorithms?.[0]
  return algorithms?.find((algorithm) => algorithm === alg)
}

/** Whether a text is a private key for signatures, as a JWK in JSON. */
export function isPrivateJwk(text: string): boolean {
  const jwk = parseJsonObject(text)
  if (!jwk || signingAlgorithm(jwk) === undefined) return false
  const members = jwk['kty'] === 'RSA' ? ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] : ['x', 'd']
  return members.every((name) => typeof jwk[name] === 'string' && jwk[name] !== '')
}
