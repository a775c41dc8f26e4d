/**
 * Characters that could end or extend an isolate: embeddings, overrides and isolates
 * (U+202A–U+202E, U+2066–U+2069), and paragraph separators, which close every isolate. Direction
 * marks such as U+200F are kept: they belong to some names and have no effect outside an isolate.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const ISOLATE_BREAKERS = /[\u202a-\u202e\u2066-\u2069\u2029\u0085\u0000-\u001f]/g

/**
 * Wraps a name in Unicode isolates (FSI … PDI, Unicode Standard Annex #9), so that a right-to-left
 * name, or one with direction control characters, cannot reorder the sentence around it.
 */
export function isolateTextDirection(name: string): string {
  return `\u2068${name.replace(ISOLATE_BREAKERS, '')}\u2069`
}
