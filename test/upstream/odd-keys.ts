import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { JWK } from 'jose'

interface OddKey {
  alg: 'RS256' | 'ES256'
  jwk: JWK
  privateKey: KeyObject
}

function rsa(modulusLength: number): OddKey {
  return named('RS256', generateKeyPairSync('rsa', { modulusLength }))
}

/** Whatever its curve, the key says it is for ES256. */
function ec(namedCurve: string): OddKey {
  return named('ES256', generateKeyPairSync('ec', { namedCurve }))
}

function named(
  alg: OddKey['alg'],
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
): OddKey {
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'odd', alg, use: 'sig' } as JWK
  return { alg, jwk, privateKey }
}

/** Keys of a size or curve of their own, by the mode of the provider that has no other. */
export const ODD_KEYS: Record<string, OddKey> = {
  'rsa-1024': rsa(1024),
  'rsa-2040': rsa(2040),
  'rsa-2048': rsa(2048),
  'es256-p256': ec('P-256'),
  'es256-p384': ec('P-384'),
  'es256-p521': ec('P-521'),
  'es256-secp256k1': ec('secp256k1'),
}

/** Signs as libraries with manners would refuse to. */
export function signOddly({ alg, privateKey }: OddKey, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const input = `${encode({ alg, kid: 'odd' })}.${encode(claims)}`
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}
