/** Squares along an edge of version 14. It holds 458 bytes; a link that asks for all there is takes some 400. */
const SIZE = 73

/** Draws text as a QR code (ISO/IEC 18004), at the lowest level of correction: the address of a picture. */
export function qrCode(text: string): string {
  const bits = wordsOf(text).flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => word >> bit))
  const rows = Array.from({ length: SIZE }, (_, y) =>
    Array.from({ length: SIZE }, (_, x) => patternAt(x, y)),
  )
  let at = 0
  // In columns two wide that go up and down from the right, and leave out the dotted one.
  for (let right = SIZE - 1; right > 0; right -= right === 8 ? 3 : 2)
    for (const step of rows.keys()) {
      const y = (right + 1) & 2 ? step : SIZE - 1 - step
      const row = rows[y] ?? []
      // Under the first mask: any can be read.
      for (const x of [right, right - 1]) row[x] ??= (((bits[at++] ?? 0) + x + y) & 1) === 0
    }
  return bitmap(rows)
}

/** What every code has at this place; undefined where there is room for words. */
function patternAt(x: number, y: number): boolean | undefined {
  const across = Math.abs(x - 36)
  const down = Math.abs(y - 36)
  const near = Math.min(x, y)
  const far = Math.max(x, y)
  // Large squares in three corners.
  const ring = near < 36 ? ringOf(across - 33, down - 33) : 9
  if (ring < 5) return ring < 2 || ring === 3
  // Along them, twice, the level and the mask.
  const along = 36 - Math.max(across, down)
  if (ring < 6 && (x === 8 || y === 8) && (along < 8 || x === y))
    return x > y ? along === 2 || along > 5 : along !== 3
  // Small squares, and dotted lines.
  const small = ringOf(((x + 4) % 20) - 10, ((y + 4) % 20) - 10)
  if (ring > 5 && small < 3) return small !== 1
  if (near === 6) return far % 2 === 0
  // Twice the version.
  if (near < 6 && far > 61) return ((0xe60d >> (near * 3 + far - 62)) & 1) === 1
  return undefined
}

function ringOf(x: number, y: number): number {
  return Math.max(Math.abs(x), Math.abs(y))
}

/** The kind and length of the text, the text and padding: four blocks, corrected and shuffled. */
function wordsOf(text: string): number[] {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > 458) throw new RangeError('Too long for a QR code.')
  const framed = [4, bytes.length >> 8, bytes.length & 255, ...bytes, 0]
  const words = framed.slice(1).map((byte, at) => (((framed[at] ?? 0) << 4) | (byte >> 4)) & 255)
  for (let pad = 0xec; words.length < 461; pad ^= 0xec ^ 0x11) words.push(pad)
  // The last has one word more.
  const blocks = [
    words.slice(0, 115),
    words.slice(115, 230),
    words.slice(230, 345),
    words.slice(345),
  ]
  return [blocks, blocks.map(remainder)].flatMap((rows) =>
    Array.from({ length: 116 }, (_, at) => rows.flatMap((row) => row.slice(at, at + 1))).flat(),
  )
}

/** Reed and Solomon's thirty words. */
function remainder(block: readonly number[]): number[] {
  const none = Array<number>(30).fill(0)
  let generator = none.with(-1, 1)
  const next = (factor: number, last: number[]) =>
    generator.map((term, at) => multiply(term, factor) ^ (last[at + 1] ?? 0))
  let root = 1
  for (const _ of none) {
    generator = next(root, generator)
    root = multiply(root, 2)
  }
  return block.reduce((rest, word) => next(word ^ (rest[0] ?? 0), rest), none)
}

/** In the field of 256 elements with the polynomial 0x11d. */
function multiply(one: number, other: number): number {
  return other && ((other & 1) * one) ^ multiply((one << 1) ^ ((one >> 7) * 0x11d), other >> 1)
}

/** A bitmap of 81 by 81 dots of half a byte, from the bottom: four light ones on every side. */
function bitmap(rows: readonly (readonly unknown[])[]): string {
  const margin = '0'.repeat(4 * 88)
  const dots = rows.map((row) => `0000${row.map(Number).join('')}00000000000`)
  const hex = HEADER + margin + dots.reverse().join('') + margin
  return `data:image/bmp;base64,${Uint8Array.fromHex(hex).toBase64()}`
}

/** Where the dots begin, how many there are and how large, and two colours: white and black. */
const HEADER =
  '424d00000000000000003e00000028000000510000005100000001000400000000000000000000000000000000000200000000000000ffffff0000000000'
