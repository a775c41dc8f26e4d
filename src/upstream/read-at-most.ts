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
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
