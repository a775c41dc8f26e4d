/**
 * Without types, a misspelled option would have no effect.
 *
 * @throws TypeError
 */
export function rejectUnknown(options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  const names = Object.keys(known).join(', ')
  throw new TypeError(`There is no option ${unknown.join(' or ')}. The options are ${names}.`)
}
