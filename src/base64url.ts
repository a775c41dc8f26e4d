/** {@link https://www.rfc-editor.org/rfc/rfc4648#section-5}, without padding. */
export function encodeBase64url(bytes: Uint8Array | string): string {
  const binary = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const letters = Array.from(binary, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The bytes, or `undefined` for what is no base64url. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
