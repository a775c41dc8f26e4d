const CODE_LENGTH = 6 // digits

/** The number of different codes. */
const CODES = 10 ** CODE_LENGTH

/** The largest multiple of the number of codes that 32 bits can represent. */
const FAIR_LIMIT = Math.floor(2 ** 32 / CODES) * CODES

/** A random code of six digits. Each is equally likely. */
export function createCode(): string {
  for (;;) {
    const [number = FAIR_LIMIT] = crypto.getRandomValues(new Uint32Array(1))
    if (number < FAIR_LIMIT) return String(number % CODES).padStart(CODE_LENGTH, '0')
  }
}

/** The first digits of the blocks that keyboards for Arabic, Persian and Hindi have. */
const ZEROS = ['\u0660', '\u06f0', '\u0966']

/** What a user entered, in ASCII digits and without the spaces and hyphens that people add. */
export function readCode(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => {
      const code = digit.charCodeAt(0)
      const zero = ZEROS.map((character) => character.charCodeAt(0)).findLast((at) => at <= code)
      return String(code - (zero ?? code))
    })
}
