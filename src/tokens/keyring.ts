import { importJWK, type JWK } from 'jose'
import type { Config } from '../config.ts'
import type { Algorithm, SealedKey } from './keyring-object.ts'

/** What this isolate signs with and publishes. */
export interface Keyring {
  signingKey(alg: Algorithm): { kid: string; key: CryptoKey }
  /** The public keys as the bytes that are served. */
  jwks: string
  etag: string
}

/** An isolate asks again after this long, so that a rotation reaches all of them well within a day. */
const FIVE_MINUTES = 300_000 // milliseconds

/** How long to be content with an old keyring when a new one cannot be had. */
const HALF_A_MINUTE = 30_000

interface Cached {
  keyring: Promise<Keyring>
  freshUntil: number
}

const cache = new WeakMap<Config, Cached>()

/** The keyring as of at most five minutes ago; an older one while its object cannot be reached. */
export function readKeyring(env: Env, config: Config): Promise<Keyring> {
  const cached = cache.get(config)
  if (cached && Date.now() < cached.freshUntil) return cached.keyring
  const entry = { keyring: refresh(env, config, cached), freshUntil: Date.now() + FIVE_MINUTES }
  cache.set(config, entry)
  return entry.keyring
}

async function refresh(env: Env, config: Config, former: Cached | undefined): Promise<Keyring> {
  try {
    return await load(env, config)
  } catch (error) {
    cache.delete(config)
    if (!former) throw error
    cache.set(config, { ...former, freshUntil: Date.now() + HALF_A_MINUTE })
    return former.keyring
  }
}

async function load(env: Env, config: Config): Promise<Keyring> {
  const { keys } = await env.KEYRING.get(env.KEYRING.idFromName('keyring')).read()
  const signing = new Map<Algorithm, { kid: string; key: CryptoKey }>()
  for (const key of keys.filter(({ state }) => state === 'active')) {
    signing.set(key.alg, { kid: key.kid, key: await openKey(config, key) })
  }
  const jwks = JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) })
  return {
    jwks,
    etag: `"${keys.map(({ kid }) => kid.slice(0, 6)).join('.')}"`,
    signingKey(alg) {
      const found = signing.get(alg)
      if (!found) throw new Error(`The keyring has no key for ${alg}.`)
      return found
    },
  }
}

async function openKey(
  { seal }: Config,
  { kid, alg, sealedPrivateJwk }: SealedKey,
): Promise<CryptoKey> {
  const opened = await seal.open('keyring', kid, sealedPrivateJwk)
  if (opened === undefined) throw new Error('No secret opens the signing key.')
  return (await importJWK(JSON.parse(opened) as JWK, alg)) as CryptoKey
}
