const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** {@link https://www.rfc-editor.org/rfc/rfc4648#section-6}, for lengths that need no padding. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{5}/g) ?? []
  return digits.map((digit) => ALPHABET[Number.parseInt(digit, 2)]).join('')
}
