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

/** What a user entered, in ASCII digits and without the spaces and hyphens that people add. */
export function readCode(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
}

/** Converts a digit of any script. Each script has ten in a row, which begin with zero. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}
