import { waitUntil } from 'cloudflare:workers'
import { createLocalJWKSet, importJWK, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Config } from '../config/config.ts'
import { SharedRead } from '../storage/shared-read.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
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

/** After this time, a revoked key is used by no isolate that can reach the keyring. */
const CACHE_LIFETIME = 60_000 // milliseconds

/** A busy isolate reads the keyring again from this age on, while requests still use the copy. */
const REFRESH_AGE = 30_000 // milliseconds

/**
 * How old the copy may be that is published, that rejects a token with an unknown key, and that the admin
 * API accepts tokens with: whoever has a leaked key could otherwise use that API for another minute.
 */
export const RECENT = 5_000 // milliseconds

/** How long an expired keyring is reused while the object cannot be reached. */
const RETRY_INTERVAL = 30_000 // milliseconds

interface CachedKeyring {
  keyring: Keyring
  readAt: number
  /** When a request last began to read it in the background. */
  refreshStartedAt: number
  /** After a failed read, the copy is used until then, however old it is. */
  usedUntil: number
  /** The read that replaces it. */
  read: SharedRead<Keyring>
}

const cache = new WeakMap<Config, CachedKeyring>()

/** Changes when this isolate forgets its copies, so that no read that began before restores one. */
let generation = 0

/** The object that holds our signing keys. */
export function keyringObject(env: Env): DurableObjectStub<KeyringObject> {
  return env.KEYRING.get(env.KEYRING.idFromName('keyring'))
}

/** The keyring, at most a minute old by default; older while its object cannot be reached. */
export async function readKeyring(
  env: Env,
  config: Config,
  maxAge = CACHE_LIFETIME,
): Promise<Keyring> {
  const now = Date.now()
  const cached = cache.get(config)
  // If the clock was set back, the age of the copy is unknown.
  if (cached && now < cached.readAt) cache.delete(config)
  if (!cached || now < cached.readAt) return requireKeyring(env, config)
  if (now < cached.usedUntil) return cached.keyring
  if (now - cached.readAt >= maxAge) return refresh(env, config, cached)
  if (now - Math.max(cached.readAt, cached.refreshStartedAt) >= REFRESH_AGE) {
    cached.refreshStartedAt = now
    waitUntil(refresh(env, config, cached))
  }
  return cached.keyring
}

/** Makes the next request of this isolate read the keyring, because it has changed. */
export function forgetKeyring(config: Config): void {
  generation += 1
  cache.delete(config)
}

async function requireKeyring(env: Env, config: Config): Promise<Keyring> {
  try {
    return await readObject(env, config)
  } catch (cause) {
    throw new UnavailableError('The keyring cannot be read.', { cause })
  }
}

async function refresh(env: Env, config: Config, cached: CachedKeyring): Promise<Keyring> {
  try {
    return await cached.read.run(() => readObject(env, config))
  } catch {
    cached.usedUntil = Date.now() + RETRY_INTERVAL
    return cached.keyring
  }
}

/** The keyring is cached, not its promise: a promise belongs to the request that created it. */
async function readObject(env: Env, config: Config): Promise<Keyring> {
  const startedIn = generation
  const readAt = Date.now()
  const keyring = await loadKeyring(env, config)
  const isNewest = (cache.get(config)?.readAt ?? 0) <= readAt
  if (generation === startedIn && isNewest) {
    const read = new SharedRead<Keyring>()
    cache.set(config, { keyring, readAt, refreshStartedAt: readAt, usedUntil: 0, read })
  }
  return keyring
}

async function loadKeyring(env: Env, config: Config): Promise<Keyring> {
  const { keys } = await keyringObject(env).read()
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
