import type { CBORType } from '@levischuck/tiny-cbor'
import { base64url, importJWK, type JWK } from 'jose'

/** The labels of a COSE key ({@link https://www.rfc-editor.org/rfc/rfc9053#section-7}). */
const LABEL = { type: 1, algorithm: 3, curve: -1, x: -2, y: -3, n: -1, e: -2 }

const TYPE = { okp: 1, ec2: 2, rsa: 3 }

const CURVE = { p256: 1, ed25519: 6 }

/** The length of each of the two numbers in an ES256 signature. */
const NUMBER_LENGTH = 32

/**
 * Converts the public key of a passkey. Throws if it is malformed, or of an algorithm other than
 * ES256, EdDSA with Ed25519 and RS256.
 */
export async function toJwk(coseKey: CBORType): Promise<JWK> {
  if (!(coseKey instanceof Map)) throw new Error('The key is not a map.')
  const bytes = (label: number) => {
    const value = coseKey.get(label)
    if (!(value instanceof Uint8Array)) throw new Error('A parameter of the key is missing.')
    return base64url.encode(value)
  }
  const [algorithm, type, curve] = [LABEL.algorithm, LABEL.type, LABEL.curve].map((label) =>
    coseKey.get(label),
  )
  let jwk: JWK
  if (algorithm === -7 && type === TYPE.ec2 && curve === CURVE.p256) {
    jwk = { alg: 'ES256', kty: 'EC', crv: 'P-256', x: bytes(LABEL.x), y: bytes(LABEL.y) }
  } else if (algorithm === -8 && type === TYPE.okp && curve === CURVE.ed25519) {
    jwk = { alg: 'EdDSA', kty: 'OKP', crv: 'Ed25519', x: bytes(LABEL.x) }
  } else if (algorithm === -257 && type === TYPE.rsa) {
    jwk = { alg: 'RS256', kty: 'RSA', n: bytes(LABEL.n), e: bytes(LABEL.e) }
  } else {
    throw new Error('The algorithm of the key is not supported.')
  }
  await importJWK(jwk)
  return jwk
}

/** Whether the signature of an authenticator is valid. Throws if it is malformed. */
export async function verifySignature(
  jwk: JWK,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = (await importJWK(jwk)) as CryptoKey
  const { name } = key.algorithm
  const raw = jwk.alg === 'ES256' ? unwrapSignature(signature) : signature
  return crypto.subtle.verify({ name, hash: 'SHA-256' }, key, raw, data)
}

/**
 * Authenticators send an ES256 signature as an ASN.1 sequence of two integers, and WebCrypto
 * expects the two numbers one after the other. The sequence is so short that each length is one
 * byte.
 */
function unwrapSignature(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const [sequence, length, ...content] = signature
  const rLength = content[1] ?? 0
  const r = content.slice(0, rLength + 2)
  const s = content.slice(rLength + 2)
  if (sequence !== 0x30 || length !== content.length) throw malformedSignature()
  return new Uint8Array([...unwrapInteger(r), ...unwrapInteger(s)])
}

function unwrapInteger([type, length, ...bytes]: readonly number[]): number[] {
  const isInteger = type === 0x02 && length === bytes.length
  // A zero is in front if the first bit of the number is set.
  const start = bytes[0] === 0 ? 1 : 0
  const number = bytes.slice(start)
  const isPositive = bytes.length > 0 && (bytes[0] ?? 0) < 0x80
  if (!isInteger || !isPositive || number.length > NUMBER_LENGTH) throw malformedSignature()
  return [...new Array<number>(NUMBER_LENGTH - number.length).fill(0), ...number]
}

function malformedSignature(): Error {
  return new Error('The signature is malformed.')
}
