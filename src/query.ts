/** An address with these parameters, in place of what it has of the same names. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  let query = ''
  if (url.search) {
    for (const [name, value] of url.searchParams) {
      if (!Object.hasOwn(parameters, name)) query += pair(name, value)
    }
    url.search = ''
  }
  for (const name of Object.keys(parameters)) query += pair(name, parameters[name] ?? '')
  // By hand: each change to `searchParams` would write the whole address anew.
  return `${url.href}?${query.slice(1)}`
}

function pair(name: string, value: string): string {
  return `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}
