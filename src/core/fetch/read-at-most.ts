/** Larger than most bodies. A buffer for the limit would take longer to allocate than those to read. */
const USUAL_SIZE = 4096 // bytes

/**
 * Reads a body of at most `limit` bytes. Content-Length is not trusted, and no more than that is
 * buffered.
 */
export async function readAtMost(body: ReadableStream | null, limit: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader = body.getReader({ mode: 'byob' })
  const start = await readBytes(reader, Math.min(USUAL_SIZE, limit + 1))
  const isLonger = start.length === USUAL_SIZE && start.length <= limit
  const rest = isLonger ? await readBytes(reader, limit + 1 - start.length) : new Uint8Array()
  const length = start.length + rest.length
  if (length > limit) {
    await reader.cancel()
    throw new RangeError('The body is too long.')
  }
  if (rest.length === 0) return start
  const bytes = new Uint8Array(length)
  bytes.set(start)
  bytes.set(rest, start.length)
  return bytes
}

/** Reads so many bytes, or fewer at the end of the body. */
async function readBytes(reader: ReadableStreamBYOBReader, size: number): Promise<Uint8Array> {
  const { value = new Uint8Array() } = await reader.readAtLeast(size, new Uint8Array(size))
  return value
}
