/**
 * Control characters, line separators, and the characters that embed, override or isolate the
 * direction of text (Unicode Standard Annex #9). Direction marks such as U+200F are not among them:
 * they belong to some names, and have no effect beyond their neighbours.
 */
const CHARACTERS = String.raw`[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]`

const ONE = new RegExp(CHARACTERS, 'u')
const RUNS = new RegExp(`${CHARACTERS}+`, 'gu')

export function hasControlCharacters(text: string): boolean {
  return ONE.test(text)
}

/** Replaces each run of control characters. */
export function replaceControlCharacters(text: string, replacement: '' | ' '): string {
  return text.replace(RUNS, replacement)
}
