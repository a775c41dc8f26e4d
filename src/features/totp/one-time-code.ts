import { encodeBase32 } from './base32.ts'

/*
 * Codes of authenticator apps, {@link https://www.rfc-editor.org/rfc/rfc6238}, with the values that
 * every app supports: SHA-1, six digits, thirty seconds.
 */

const DIGITS = 6
const PERIOD = 30 // seconds

/** As long as the digests of SHA-1 (RFC 4226 §4). */
const SECRET_LENGTH = 20 // bytes

/** How many periods the clock of a phone may differ, and the user may take to type. */
const TOLERANCE = 1

export function createSecret(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SECRET_LENGTH))
}

/** Of an encoded name in a QR code, which would otherwise be too large to scan from a screen. */
const MAX_NAME_LENGTH = 150

/** What an authenticator app reads from the QR code. It shows the beginning of a long name. */
export function keyUri(secret: Uint8Array, { issuer, user }: { issuer: string; user: string }) {
  const label = `${encodeURIComponent(issuer)}:${encodeBeginning(user)}`
  const query = `secret=${encodeBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${query}`
}

function encodeBeginning(name: string): string {
  let encoded = ''
  for (const character of name.toWellFormed()) {
    const longer = encoded + encodeURIComponent(character)
    if (longer.length > MAX_NAME_LENGTH) break
    encoded = longer
  }
  return encoded
}

/**
 * The period that a code is for; undefined if it is wrong, or a code of this period or a later one
 * was used before.
 */
export async function findPeriod(
  secret: Uint8Array<ArrayBuffer>,
  code: string,
  { now, lastUsed }: { now: number; lastUsed: number },
): Promise<number | undefined> {
  const current = Math.floor(now / PERIOD)
  const periods = Array.from({ length: 2 * TOLERANCE + 1 }, (_, i) => current - TOLERANCE + i)
  // All of them, so that the time it takes says nothing about the clock.
  const codes = await Promise.all(periods.map((period) => codeOf(secret, period)))
  return periods.find((period, index) => codes[index] === code && period > lastUsed)
}

/** {@link https://www.rfc-editor.org/rfc/rfc4226#section-5.3} */
export async function codeOf(secret: Uint8Array<ArrayBuffer>, period: number): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(period))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer))
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf
  const value = mac.getUint32(offset) & 0x7fff_ffff
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** A code as people type it, with spaces; undefined if it is none. */
export function parseCode(text: string): string | undefined {
  const digits = text.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}
