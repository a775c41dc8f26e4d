import { nowInSeconds } from '../../foundation/values/clock.ts'

/** A time and a few signatures. A header with more parts is not from TikTok. */
const MAX_PARTS = 6

/**
 * Whether one of the secrets signed this body recently. The header is `t=<seconds>,s=<hex>`,
 * possibly with several `s`. The signed text is the time, a dot and the body as received.
 */
export async function isSignatureValid(
  header: string,
  body: ArrayBuffer,
  { secrets, tolerance }: { secrets: readonly string[]; tolerance: number },
): Promise<boolean> {
  const parts = header.split(',', MAX_PARTS).map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time)) return false
  if (Math.abs(nowInSeconds() - Number(time)) > tolerance) return false
  const signedText = await new Blob([`${time}.`, body]).arrayBuffer()
  for (const [name, signature = ''] of parts) {
    if (name !== 's' || !/^[0-9a-f]{64}$/i.test(signature)) continue
    for (const secret of secrets) if (await verifyHmac(secret, signature, signedText)) return true
  }
  return false
}

/** WebCrypto compares in constant time. */
async function verifyHmac(secret: string, hex: string, data: ArrayBuffer): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  return crypto.subtle.verify('HMAC', key, Uint8Array.fromHex(hex), data)
}
