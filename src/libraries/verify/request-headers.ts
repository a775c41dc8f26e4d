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

/**
 * The value of a header, whose name is in lower case.
 *
 * @throws TypeError if the request is none
 */
export function readHeader(request: RequestHeaders, name: string): string | undefined {
  const headers = headersOf(request)
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

/** Without types, everything can be passed. A promise would look like a request without a cookie. */
function headersOf(request: Partial<RequestHeaders> | undefined): RequestHeaders['headers'] {
  const { headers } = request ?? {}
  const [promise] = [request, headers].filter((each) => typeof Object(each).then === 'function')
  if (promise && typeof Object(promise).get !== 'function') {
    throw new TypeError('The headers are a promise: pass { headers: await headers() }.')
  }
  if (typeof headers === 'object' && headers !== null) return headers
  throw new TypeError('The request is missing: pass the Request, or { headers } with its headers.')
}

function isFetchHeaders(headers: RequestHeaders['headers']): headers is FetchHeaders {
  return typeof headers.get === 'function'
}
