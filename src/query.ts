/** An address with these parameters, in place of what it has of the same names. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  const own = url.search
    ? [...url.searchParams].filter(([name]) => !Object.hasOwn(parameters, name))
    : []
  const pairs = [...own, ...Object.entries(parameters)]
  // At once: each change to `searchParams` would write the whole address anew.
  url.search = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return url.href
}
