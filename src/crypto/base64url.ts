const BASE64URL = { alphabet: 'base64url', omitPadding: true } as const

const utf8 = new TextEncoder()

/** {@link https://www.rfc-editor.org/rfc/rfc4648#section-5}, without padding. */
export function encodeBase64url(bytes: Uint8Array | string): string {
  return (typeof bytes === 'string' ? utf8.encode(bytes) : bytes).toBase64(BASE64URL)
}

/** The bytes, or `undefined` for what is no base64url. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  // The runtime would forgive spaces and padding.
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    return Uint8Array.fromBase64(text, BASE64URL)
  } catch {
    return undefined
  }
}
