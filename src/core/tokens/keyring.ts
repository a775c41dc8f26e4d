import { createLocalJWKSet, importJWK, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Config } from '../config/config.ts'
import { IsolateCache } from '../storage/isolate-cache.ts'
import { namedObject } from '../storage/object-location.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import type { Algorithm, KeyringObject, SealedKey } from './keyring-object.ts'

/** The keys this isolate signs with and publishes. */
interface Keyring {
  signingKey(alg: Algorithm): { kid: string; key: CryptoKey }
  /** Selects the key for a token of ours that was presented to us. */
  verificationKey: JWTVerifyGetKey
  /** The public keys as a JSON document (RFC 7517 §5). */
  jwks: string
  etag: string
}

/**
 * How old the copy may be that is published, that rejects a token with an unknown key, and that the
 * admin API accepts tokens with: whoever has a leaked key could otherwise use that API for another
 * minute.
 */
export const RECENT = 5_000 // milliseconds

/** Within a minute, a revoked key is used by no isolate that can reach the keyring. */
const cache = new IsolateCache<Keyring>({
  failureEvent: 'keyring_unavailable',
  maxOutageAge: Infinity,
})

/** The object that holds our signing keys. */
export function keyringObject(env: Env): DurableObjectStub<KeyringObject> {
  return namedObject(env, env.KEYRING, 'keyring')
}

/** The keyring, at most a minute old by default; older while its object cannot be reached. */
export async function readKeyring(env: Env, config: Config, maxAge?: number): Promise<Keyring> {
  const read = () => requireStorage(() => loadKeyring(env, config), 'The keyring cannot be read.')
  return cache.get(config, read, maxAge)
}

/** Makes the next request of this isolate read the keyring, because it has changed. */
export function forgetKeyring(config: Config): void {
  cache.forget(config)
}

async function loadKeyring(env: Env, config: Config): Promise<Keyring> {
  const keys = await keyringObject(env).read()
  const signingKeys = new Map<Algorithm, { kid: string; key: CryptoKey }>()
  for (const key of keys.filter(({ state }) => state === 'active')) {
    signingKeys.set(key.alg, { kid: key.kid, key: await openPrivateKey(config, key) })
  }
  const jwks = { keys: keys.map(({ publicJwk }) => publicJwk) }
  return {
    jwks: JSON.stringify(jwks),
    verificationKey: createLocalJWKSet(jwks),
    etag: `"${keys.map(({ kid }) => kid.slice(0, 6)).join('.')}"`,
    signingKey(alg) {
      const found = signingKeys.get(alg)
      if (!found) throw new Error(`The keyring has no key for ${alg}.`)
      return found
    },
  }
}

async function openPrivateKey(
  { seal }: Config,
  { kid, alg, sealedPrivateJwk }: SealedKey,
): Promise<CryptoKey> {
  const opened = await seal.open('keyring', kid, sealedPrivateJwk)
  if (opened === undefined) throw new Error('No configured secret opens the signing key.')
  return (await importJWK(JSON.parse(opened) as JWK, alg)) as CryptoKey
}
