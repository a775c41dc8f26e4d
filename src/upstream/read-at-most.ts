/**
 * Reads a body of at most `limit` bytes. Content-Length is not trusted, and no more than that is
 * buffered.
 */
export async function readAtMost(body: ReadableStream | null, limit: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    length += chunk.length
    // Leaving the loop cancels the stream.
    if (length > limit) throw new RangeError('The body is too long.')
    chunks.push(chunk)
  }
  return concatenate(chunks, length)
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
