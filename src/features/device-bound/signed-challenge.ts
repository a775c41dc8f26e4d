import { decodeJwt, EmbeddedJWK, exportJWK, importJWK, type JWK, jwtVerify } from 'jose'

/** As the registration offers them. RS256 is for TPMs without elliptic curves. */
export const ALGORITHMS = ['ES256', 'RS256'] as const

/** Longer than one with a key of 4096 bits. */
const MAX_LENGTH = 4096

const OPTIONS = { typ: 'dbsc+jwt', algorithms: [...ALGORITHMS] }

/** The public key of a browser. */
export interface BrowserKey {
  jwk: JWK
  alg: string
}

/** The content of a structured header that is a string. Browsers also send it without quotes. */
export function unquote(value: string | undefined): string | undefined {
  return value?.replace(/^"(.*)"$/s, '$1')
}

/** The challenge in a JWT whose signature nobody has checked yet. */
export function readChallenge(token: string): string | undefined {
  if (token.length > MAX_LENGTH) return undefined
  try {
    return decodeJwt(token).jti
  } catch {
    return undefined
  }
}

/** The key that is in the JWT and has signed it; undefined if it is not valid. */
export async function readNewKey(token: string): Promise<BrowserKey | undefined> {
  try {
    // Keys that are private or symmetric are rejected.
    const { protectedHeader } = await jwtVerify(token, EmbeddedJWK, OPTIONS)
    const { alg, crit, jwk } = protectedHeader
    if (crit !== undefined || !jwk) return undefined
    const key = await importJWK({ ...jwk, ext: true } as JWK, alg)
    if (!('algorithm' in key)) return undefined
    // Without anything else that the JWT has said about the key.
    return { jwk: await exportJWK(key), alg }
  } catch {
    return undefined
  }
}

/** Whether this key has signed the JWT. */
export async function isSignedWith({ jwk, alg }: BrowserKey, token: string): Promise<boolean> {
  try {
    const key = await importJWK(jwk, alg)
    const verified = await jwtVerify(token, key, { ...OPTIONS, algorithms: [alg] })
    return verified.protectedHeader.crit === undefined
  } catch {
    return false
  }
}
