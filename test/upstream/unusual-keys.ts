import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { JWK } from 'jose'

interface UnusualKey {
  alg: 'RS256' | 'ES256'
  jwk: JWK
  privateKey: KeyObject
}

function createRsaKey(modulusLength: number): UnusualKey {
  return withJwk('RS256', generateKeyPairSync('rsa', { modulusLength }))
}

/** The key claims to be for ES256, whatever its curve. */
function createEcKey(namedCurve: string): UnusualKey {
  return withJwk('ES256', generateKeyPairSync('ec', { namedCurve }))
}

function withJwk(
  alg: UnusualKey['alg'],
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
): UnusualKey {
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'unusual', alg, use: 'sig' } as JWK
  return { alg, jwk, privateKey }
}

/** Keys of various sizes and curves, by the mode of the provider that publishes this key alone. */
export const UNUSUAL_KEYS: Record<string, UnusualKey> = {
  'rsa-1024': createRsaKey(1024),
  'rsa-2040': createRsaKey(2040),
  'rsa-2048': createRsaKey(2048),
  'es256-p256': createEcKey('P-256'),
  'es256-p384': createEcKey('P-384'),
  'es256-p521': createEcKey('P-521'),
  'es256-secp256k1': createEcKey('secp256k1'),
}

/** Signs with Node's crypto module, because jose rejects most of these keys. */
export function signWithUnusualKey({ alg, privateKey }: UnusualKey, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const input = `${encode({ alg, kid: 'unusual' })}.${encode(claims)}`
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}
