import { replaceControlCharacters } from '../src/foundation/values/control-characters.ts'

/** More than any message of ours needs. */
const MAX_LENGTH = 1000 // characters

/** Makes text from a server or a log safe to print: it cannot control the terminal or flood it. */
export function sanitizeForTerminal(text: string): string {
  return replaceControlCharacters(text, ' ').slice(0, MAX_LENGTH)
}

/** The control characters that `JSON.stringify` does not escape. */
const UNESCAPED_CHARACTERS = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/**
 * JSON that is safe to print: programs read the same values, and the terminal is not controlled by
 * them.
 */
export function jsonForTerminal(value: unknown, indentation?: number): string {
  return JSON.stringify(value, null, indentation).replace(
    UNESCAPED_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
