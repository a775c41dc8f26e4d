import { base64url } from 'jose'

/**
 * 256 random bits in base64url: cannot be guessed, and safe in a URL, a cookie or a storage key.
 */
export function randomSecret(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
}

/** An identifier with a typed prefix, such as `usr_…`. 128 random bits, so two never collide. */
export function randomId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  return `${prefix}_${base64url.encode(crypto.getRandomValues(new Uint8Array(16)))}`
}
