import { createLocalJWKSet, importJWK, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Config } from '../config/config.ts'
import { UnavailableError } from '../errors.ts'
import type { Algorithm, SealedKey } from './keyring-object.ts'

/** The keys this isolate signs with and publishes. */
interface Keyring {
  signingKey(alg: Algorithm): { kid: string; key: CryptoKey }
  /** Selects the key for a token of ours that was presented to us. */
  verificationKey: JWTVerifyGetKey
  /** The public keys as a JSON document (RFC 7517 §5). */
  jwks: string
  etag: string
}

/** A rotation reaches every isolate within this time, long before a new key signs. */
const CACHE_LIFETIME = 300_000 // milliseconds

/** How long an expired keyring is reused while the object cannot be reached. */
const RETRY_INTERVAL = 30_000 // milliseconds

const cache = new WeakMap<Config, { keyring: Keyring; freshUntil: number }>()

/** The keyring, at most five minutes old; older while its object cannot be reached. */
export async function readKeyring(env: Env, config: Config): Promise<Keyring> {
  const cached = cache.get(config)
  if (cached && Date.now() < cached.freshUntil) return cached.keyring
  try {
    // The keyring is cached, not its promise: a promise belongs to the request that created it.
    const keyring = await loadKeyring(env, config)
    cache.set(config, { keyring, freshUntil: Date.now() + CACHE_LIFETIME })
    return keyring
  } catch (cause) {
    if (!cached) throw new UnavailableError('The keyring cannot be read.', { cause })
    cache.set(config, { ...cached, freshUntil: Date.now() + RETRY_INTERVAL })
    return cached.keyring
  }
}

async function loadKeyring(env: Env, config: Config): Promise<Keyring> {
  const { keys } = await env.KEYRING.get(env.KEYRING.idFromName('keyring')).read()
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
