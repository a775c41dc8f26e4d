/** Parameters in their order, perhaps with repetitions. */
export type Pairs = readonly [name: string, value: string][]

/** The parameters of a query. By hand: each step through a `URLSearchParams` costs as much as one of these. */
export function pairsOf(query: string): Pairs {
  try {
    const pairs = query.replaceAll('+', ' ').split('&').filter(Boolean)
    return pairs.map((pair) => {
      const end = pair.indexOf('=')
      if (end < 0) return [decode(pair), '']
      return [decode(pair.slice(0, end)), decode(pair.slice(end + 1))]
    })
  } catch {
    // It forgives what is escaped wrongly.
    return [...new URLSearchParams(`?${query}`)]
  }
}

function decode(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text
}

/** The query of an address. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** An address with these parameters, in place of what it has of the same names. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  const kept = pairsOf(url.search.slice(1)).filter(([name]) => !Object.hasOwn(parameters, name))
  // Both: a question mark with nothing behind it is there and not told.
  if (/[?#]/.test(address)) url.search = url.hash = ''
  const pairs = [...kept, ...Object.entries(parameters)]
  // By hand: each change to `searchParams` would write the whole address anew.
  return `${url.href}?${pairs.map(encode).join('&')}`
}

function encode([name, value]: readonly [string, string]): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}
