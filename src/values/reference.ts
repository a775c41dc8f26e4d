/**
 * No vowels, so that a reference is not a word or a name, and neither 0, 1 nor L, so that it can be
 * read out on the phone.
 */
export const REFERENCE_CHARACTERS = '23456789BCDFGHJKMNPQRSTVWXZ'

/** Two groups of five characters, as the service creates them. */
const REFERENCE = new RegExp(`^[${REFERENCE_CHARACTERS}]{5}-[${REFERENCE_CHARACTERS}]{5}$`)

/**
 * Reads a reference in lower case, with spaces or without its hyphen, as users read it out or type
 * it. Returns undefined if it is none.
 */
export function parseReference(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  const reference = `${letters.slice(0, 5)}-${letters.slice(5)}`
  return REFERENCE.test(reference) ? reference : undefined
}
