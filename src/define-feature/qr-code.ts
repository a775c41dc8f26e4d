import { encode } from 'uqr'

/**
 * A version 14 code holds 458 bytes at error correction level L. The provider's link takes about
 * 400 when it requests every scope, and larger codes would be hard to scan from a screen.
 */
const MAX_VERSION = 14

/** Light modules on every side, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4

/**
 * Draws text as a QR code and returns the image as a `data:` URL. A bitmap is far smaller than an
 * SVG path for thousands of modules, and the stylesheet scales it without blurring. Throws a
 * RangeError if the text is longer than 458 bytes.
 */
export function qrCode(text: string): string {
  const { data } = encode(text, {
    ecc: 'L',
    border: QUIET_ZONE,
    maxVersion: MAX_VERSION,
    // Readers accept any mask. Comparing all eight takes ten times as long, on every refresh.
    maskPattern: 0,
  })
  return `data:image/bmp;base64,${btoa(String.fromCharCode(...bitmap(data)))}`
}

/** File header (14 bytes), information header (40 bytes), and two colours of four bytes. */
const BITMAP_HEADER_LENGTH = 62

const BITS_PER_PIXEL = 4

/**
 * A square BMP image, black where the matrix is true. With four bits per pixel, a pixel is one
 * hexadecimal digit: the index of its colour.
 */
function bitmap(matrix: readonly (readonly boolean[])[]): Uint8Array {
  const size = matrix.length
  // BMP rows are padded to multiples of four bytes (eight digits) and stored from the bottom up.
  const digitsPerRow = Math.ceil(size / 8) * 8
  const rows = matrix.map((row) => row.map(Number).join('').padEnd(digitsPerRow, '0'))
  const pixels = Uint8Array.from(rows.reverse().join('').match(/../g) ?? [], fromHex)

  const file = new Uint8Array(BITMAP_HEADER_LENGTH + pixels.length)
  const header = new DataView(file.buffer)
  header.setUint16(0, 0x424d) // "BM"
  header.setUint32(2, file.length, true)
  header.setUint32(10, BITMAP_HEADER_LENGTH, true) // where the pixels start
  header.setUint32(14, 40, true) // length of the information header
  header.setUint32(18, size, true) // width
  header.setUint32(22, size, true) // height
  header.setUint16(26, 1, true) // planes, always 1
  header.setUint16(28, BITS_PER_PIXEL, true)
  header.setUint32(46, 2, true) // number of colours
  header.setUint32(54, 0xffffff, true) // colour 0: white
  header.setUint32(58, 0x000000, true) // colour 1: black
  file.set(pixels, BITMAP_HEADER_LENGTH)
  return file
}

function fromHex(digits: string): number {
  return Number.parseInt(digits, 16)
}
