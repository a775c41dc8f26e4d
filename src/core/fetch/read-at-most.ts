/**
 * Reads a body of at most `limit` bytes. Content-Length is not trusted, and no more than that is
 * buffered.
 */
export async function readAtMost(body: ReadableStream | null, limit: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader = body.getReader({ mode: 'byob' })
  // One call reads everything. It ends early only at the end of the body.
  const { value = new Uint8Array() } = await reader.readAtLeast(
    limit + 1,
    new Uint8Array(limit + 1),
  )
  if (value.length <= limit) return value
  await reader.cancel()
  throw new RangeError('The body is too long.')
}
