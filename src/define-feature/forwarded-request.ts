import type { AppContext } from '../core/http/app-env.ts'

/** Headers that authenticate the browser, or describe a body that is not forwarded. */
const REMOVED_HEADERS = [
  'Authorization',
  'Cookie',
  'Content-Length',
  'Content-Type',
  'Proxy-Authorization',
]

/**
 * The request as code of the deployment receives it: its URL without the query, its method and its
 * headers, but neither cookies nor a body.
 */
export function forwardedRequest(c: AppContext): Request {
  const { origin } = new URL(c.req.url)
  const headers = new Headers(c.req.raw.headers)
  for (const name of REMOVED_HEADERS) headers.delete(name)
  return new Request(origin + c.req.path, { method: c.req.method, headers })
}
