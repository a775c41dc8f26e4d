/** Longer than anything that we say ourselves. */
const LONGEST = 1000

/** What moves the cursor, colours the terminal, or turns the direction of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g

/** What others wrote, made harmless for a terminal. */
export function plain(text: string): string {
  return text.replace(CONTROLS, ' ').slice(0, LONGEST)
}
