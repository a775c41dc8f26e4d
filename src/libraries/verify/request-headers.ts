/** A request of the Fetch API, of Node, or of a framework that passes on its headers. */
export interface RequestHeaders {
  headers: FetchHeaders | NodeHeaders
  /** What proofs of DPoP are compared with. */
  method?: string | undefined
  /** A URL, or its path and query. */
  url?: string | undefined
  /** In Express and Fastify, that of the request before a router has changed `url`. */
  originalUrl?: string | undefined
}

type FetchHeaders = Pick<Headers, 'get'>
type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a header, whose name is in lower case. */
export function readHeader({ headers }: RequestHeaders, name: string): string | undefined {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

function isFetchHeaders(headers: RequestHeaders['headers']): headers is FetchHeaders {
  return typeof headers.get === 'function'
}
