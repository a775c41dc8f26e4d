/** Parameters in their order, perhaps with repetitions. */
export type Pairs = readonly [name: string, value: string][]

/** The parameters of a query. By hand: each step through a `URLSearchParams` costs as much as one of these. */
export function pairsOf(query: string): Pairs {
  try {
    const pairs = query.replaceAll('+', ' ').split('&').filter(Boolean)
    return pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [decodeURIComponent(name), decodeURIComponent(value.join('='))]
    })
  } catch {
    // It forgives what is escaped wrongly.
    return [...new URLSearchParams(query)]
  }
}

/** The query of an address. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

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
