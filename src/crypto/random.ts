import { encodeBase64url } from './base64url.ts'

/** Bytes that nobody has seen yet. To ask for them costs more than to have them, so they are asked for in stock. */
let stock = new Uint8Array()

/** Random bytes, each handed out once. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  if (stock.length < length) stock = crypto.getRandomValues(new Uint8Array(4096))
  const bytes = stock.subarray(0, length)
  stock = stock.subarray(length)
  return bytes
}

/** 256 random bits for a URL, a cookie or a key: nobody guesses them. */
export function randomSecret(): string {
  return encodeBase64url(randomBytes(32))
}

/** A name with its kind in front, such as `usr_…`: 128 random bits, so two never collide. */
export function randomId<Kind extends string>(kind: Kind): `${Kind}_${string}` {
  return `${kind}_${encodeBase64url(randomBytes(16))}`
}

/** What storage keeps in place of a secret. */
export async function digest(secret: string): Promise<string> {
  return encodeBase64url(new Uint8Array(await sha256(secret)))
}

const utf8 = new TextEncoder()

export function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', utf8.encode(text))
}
