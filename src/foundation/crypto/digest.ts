import { base64url } from 'jose'

const utf8 = new TextEncoder()

/** The SHA-256 digest of a text. */
export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text)))
}

/**
 * SHA-256 in base64url: what storage holds instead of a secret, and an S256 challenge
 * (RFC 7636 §4.2).
 */
export async function digest(text: string): Promise<string> {
  return base64url.encode(await sha256(text))
}
