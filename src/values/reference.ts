/** Two groups of five letters or digits, as the service creates them. */
const REFERENCE = /^[0-9A-Z]{5}-[0-9A-Z]{5}$/

/**
 * Reads a reference in lower case, with spaces or without its hyphen, as users read it out or type
 * it. Returns undefined if it is none.
 */
export function parseReference(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  const reference = `${letters.slice(0, 5)}-${letters.slice(5)}`
  return REFERENCE.test(reference) ? reference : undefined
}
