import { QrGrid } from './qr-grid.ts'

/**
 * Draws text as a QR code (ISO/IEC 18004): bytes, the lowest level of correction, the first mask. Screens have no
 * scratches, and any mask can be read.
 */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = CORRECTION.findIndex(
    (_, index) => bytes.length + (index < 9 ? 2 : 3) <= capacityOf(index + 1),
  )
  if (version < 0) throw new RangeError('The text is too long for a QR code.')
  return new QrGrid(version + 1).draw(interleave(version + 1, frame(version + 1, bytes)))
}

/** Of the lowest level, for versions 1 to 20: codewords of correction in a block, and blocks. */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]

function codewordsOf(version: number): number {
  const marks = version > 1 ? Math.floor(version / 7) + 2 : 0
  const taken = (marks > 0 ? (25 * marks - 10) * marks - 55 : 0) + (version > 6 ? 36 : 0)
  return Math.floor(((16 * version + 128) * version + 64 - taken) / 8)
}

function capacityOf(version: number): number {
  const [correction = 0, blocks = 0] = [CORRECTION[version - 1], BLOCKS[version - 1]]
  return codewordsOf(version) - correction * blocks
}

/** The kind and length of the text, the text, and padding. */
function frame(version: number, bytes: Uint8Array): number[] {
  const long = version > 9
  const head = [0x4, ...(long ? [bytes.length >> 12, (bytes.length >> 8) & 15] : [])]
  const nibbles = [...head, (bytes.length >> 4) & 15, bytes.length & 15]
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15)
  nibbles.push(0)
  const words = []
  for (let at = 0; at + 1 < nibbles.length; at += 2)
    words.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0))
  for (let pad = 0xec; words.length < capacityOf(version); pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

/** Splits the words into blocks, corrects each, and shuffles them. */
function interleave(version: number, words: number[]): number[] {
  const [correction = 0, count = 1] = [CORRECTION[version - 1], BLOCKS[version - 1]]
  const short = Math.floor(words.length / count)
  const longer = words.length % count
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * short + Math.max(0, index - (count - longer))
    return words.slice(start, start + short + (index >= count - longer ? 1 : 0))
  })
  const corrections = blocks.map((block) => correct(block, correction))
  const column = (rows: number[][], at: number) => rows.flatMap((row) => row.slice(at, at + 1))
  return [
    ...Array.from({ length: short + 1 }, (_, at) => column(blocks, at)),
    ...Array.from({ length: correction }, (_, at) => column(corrections, at)),
  ].flat()
}

/** Reed and Solomon's remainder. */
function correct(block: number[], degree: number): number[] {
  let generator = [1]
  for (let power = 0, root = 1; power < degree; power++, root = multiply(root, 2))
    generator = [...generator, 0].map(
      (term, at) => term ^ (at > 0 ? multiply(generator[at - 1] ?? 0, root) : 0),
    )
  let rest = Array<number>(degree).fill(0)
  for (const word of block) {
    const factor = word ^ (rest[0] ?? 0)
    rest = [...rest.slice(1), 0].map((term, at) => term ^ multiply(generator[at + 1] ?? 0, factor))
  }
  return rest
}

/** In the field of 256 elements with the polynomial 0x11d. */
function multiply(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--)
    product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((other >> bit) & 1) * one)
  return product
}
