import { describe, expect, it } from 'vitest'
import { readAtMost } from '../../../src/core/fetch/read-at-most.ts'

const LIMIT = 10_000

describe('a body with a limit', () => {
  it.each([0, 1, 4095, 4096, 4097, LIMIT])('is read completely: %i bytes', async (size) => {
    const bytes = testBytes(size)

    expect(await readAtMost(inPieces(bytes, 1000), LIMIT)).toEqual(bytes)
    expect(await readAtMost(new Response(bytes).body, LIMIT)).toEqual(bytes)
  })

  it.each([1, 4095, 4096, LIMIT])('of %i bytes is rejected with one more', async (limit) => {
    const bytes = testBytes(limit + 1)

    await expect(readAtMost(inPieces(bytes, 1000), limit)).rejects.toThrow(RangeError)
  })
})

function testBytes(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, index) => index % 251)
}

/** A body of which the pieces arrive one by one. */
function inPieces(bytes: Uint8Array, size: number): ReadableStream {
  const { readable, writable } = new IdentityTransformStream()
  const write = async () => {
    const writer = writable.getWriter()
    for (let start = 0; start < bytes.length; start += size) {
      await writer.write(bytes.slice(start, start + size))
    }
    await writer.close()
  }
  // Whoever stops reading cancels the stream, which rejects what is still written.
  write().catch(() => undefined)
  return readable
}
