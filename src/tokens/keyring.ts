import type { Config } from '../config/config.ts'
import { SignInError } from '../errors.ts'
import { type Algorithm, importSigningKey, importVerifyingKey, type VerifyingKeys } from './jwk.ts'
import type { SealedKey } from './keyring-object.ts'

/** What this isolate signs with and publishes. */
export interface Keyring {
  signingKey(alg: Algorithm): { kid: string; key: CryptoKey }
  /** For our own tokens when they come back. */
  verifyingKeys: VerifyingKeys
  /** The public keys as the bytes that are served. */
  jwks: string
  etag: string
}

/** An isolate asks again after this long, so that a rotation reaches all of them well within a day. */
const FIVE_MINUTES = 300_000 // milliseconds

/** How long to be content with an old keyring when a new one cannot be had. */
const HALF_A_MINUTE = 30_000

interface Cached {
  keyring: Keyring
  freshUntil: number
}

const cache = new WeakMap<Config, Cached>()

/** The keyring as of at most five minutes ago; an older one while its object cannot be reached. */
export async function readKeyring(env: Env, config: Config): Promise<Keyring> {
  const cached = cache.get(config)
  if (cached && Date.now() < cached.freshUntil) return cached.keyring
  try {
    // What is kept is the keyring, never the promise of one: that would end with the request that asked.
    const keyring = await load(env, config)
    cache.set(config, { keyring, freshUntil: Date.now() + FIVE_MINUTES })
    return keyring
  } catch (cause) {
    if (!cached) throw new SignInError('unavailable', { cause, detail: { hint: String(cause) } })
    cache.set(config, { ...cached, freshUntil: Date.now() + HALF_A_MINUTE })
    return cached.keyring
  }
}

async function load(env: Env, config: Config): Promise<Keyring> {
  const { keys } = await env.KEYRING.get(env.KEYRING.idFromName('keyring')).read()
  const signing = new Map<Algorithm, { kid: string; key: CryptoKey }>()
  for (const key of keys.filter(({ state }) => state === 'active')) {
    signing.set(key.alg, { kid: key.kid, key: await openKey(config, key) })
  }
  const verifying = keys.map(async ({ kid, alg, publicJwk }) => {
    return [kid, { alg, key: await importVerifyingKey(publicJwk, alg) }] as const
  })
  const jwks = JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) })
  return {
    jwks,
    verifyingKeys: new Map(await Promise.all(verifying)),
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
  return importSigningKey(JSON.parse(opened) as JsonWebKey, alg)
}
