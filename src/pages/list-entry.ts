/** A phrase or sentence as an entry of a list: with a capital letter, and without a full stop. */
export function listEntry(text: string, language: string): string {
  const [first = ''] = text
  return first.toLocaleUpperCase(language) + text.slice(first.length).replace(/[.。]$/, '')
}
