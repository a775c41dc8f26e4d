/** Throws for an option that a feature does not have: operators may not use TypeScript. */
export function requireKnownOptions(feature: string, others: object): void {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new TypeError(`${feature}() has no option ${unknown}.`)
}
