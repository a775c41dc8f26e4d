/** Keeps a name's writing direction to itself (Unicode TR 9, isolates): it cannot turn the sentence around. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`
}
