/** Encodes what authenticators send in CBOR (RFC 8949): numbers, texts, bytes and maps. */
export function encodeCbor(value: unknown): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value)
    return concatenate(head(3, bytes.length), bytes)
  }
  if (value instanceof Uint8Array) return concatenate(head(2, value.length), value)
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)])
    return concatenate(head(5, value.size), ...entries)
  }
  throw new TypeError('This value cannot be encoded.')
}

/** The type and the length or value. */
function head(type: number, length: number): Uint8Array<ArrayBuffer> {
  if (length < 24) return new Uint8Array([(type << 5) | length])
  if (length < 256) return new Uint8Array([(type << 5) | 24, length])
  return new Uint8Array([(type << 5) | 25, length >> 8, length & 255])
}

export function concatenate(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    result.set(part, offset)
    offset += part.length
  }
  return result
}
