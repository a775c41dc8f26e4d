import { replaceControlCharacters } from './control-characters.ts'

/**
 * Wraps a name in Unicode isolates (FSI … PDI, Unicode Standard Annex #9), so that a right-to-left
 * name, or one with direction control characters, cannot reorder the sentence around it.
 */
export function isolateTextDirection(name: string): string {
  return `\u2068${replaceControlCharacters(name, '')}\u2069`
}

const ISOLATED_NAME = /(\u2068[^\u2066-\u2069]*\u2069)/

/**
 * Isolates a value in a right-to-left sentence. A list whose names are isolated is itself written
 * from right to left (RLI … PDI), so that its first name is read first.
 */
export function isolateInRightToLeft(value: string): string {
  const parts = value.split(ISOLATED_NAME)
  const hasSeveralNames = parts.length > 3
  if (!hasSeveralNames) return isolateTextDirection(keepTogether(value))
  const safeParts = parts.map((part, index) =>
    index % 2 === 1 ? isolateTextDirection(part) : replaceControlCharacters(part, ''),
  )
  return `\u2067${safeParts.join('')}\u2069`
}

/** A short name is not broken into lines, whose parts would stand at opposite ends. */
function keepTogether(name: string): string {
  return name.length <= MAX_UNBROKEN_LENGTH ? name.replaceAll(' ', '\u00a0') : name
}

const MAX_UNBROKEN_LENGTH = 24 // characters
