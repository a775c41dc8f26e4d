/**
 * Wraps a name in Unicode isolates (FSI … PDI, Unicode Standard Annex #9), so that a right-to-left
 * name, or one with direction control characters, cannot reorder the sentence around it.
 */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`
}
