/** More than most have. */
const USUAL = 4 * 1024

/** Takes one byte more than is allowed, and no more: Content-Length is only a claim. */
export async function readAtMost(body: ReadableStream | null, limit: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader = body.getReader({ mode: 'byob' })
  const take = async (size: number) => {
    const { value } = await reader.readAtLeast(size, new Uint8Array(size))
    return value ?? new Uint8Array()
  }
  const beginning = await take(USUAL)
  if (beginning.length < USUAL) return beginning
  const rest = await take(limit - USUAL + 1)
  if (USUAL + rest.length > limit) {
    await reader.cancel()
    throw new RangeError('The body is too long.')
  }
  return new Uint8Array(await new Blob([beginning, rest]).arrayBuffer())
}
