import { seconds } from '../clock.ts'

/** A time and a few signatures: more are somebody's trick. */
const MOST_PARTS = 6

/**
 * Whether one of these secrets signed this body, not long ago. The header is `t=<seconds>,s=<hex>`, perhaps with several
 * `s`; signed is the time, a dot and the body as it came.
 */
export async function isSignedBy(
  secrets: readonly string[],
  header: string,
  body: ArrayBuffer,
  window: number,
): Promise<boolean> {
  const parts = header.split(',', MOST_PARTS).map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(seconds() - Number(time)) > window) return false
  const bytes = await new Blob([`${time}.`, body]).arrayBuffer()
  for (const [name, shown = ''] of parts) {
    if (name !== 's' || !/^[0-9a-f]{64}$/i.test(shown)) continue
    for (const secret of secrets) if (await isMac(secret, shown, bytes)) return true
  }
  return false
}

/** Compares in constant time, as WebCrypto does. */
async function isMac(secret: string, shown: string, bytes: ArrayBuffer): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, Uint8Array.fromHex(shown), bytes)
}
