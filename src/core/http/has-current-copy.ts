import type { AppContext } from './app-env.ts'

/**
 * Whether the client has the response with this ETag already (RFC 9110 §13.1.2). The comparison is
 * weak, because Cloudflare may make an ETag weak when it compresses the response.
 */
export function hasCurrentCopy(c: AppContext, etag: string): boolean {
  const header = c.req.header('If-None-Match') ?? ''
  const tags: string[] = header.match(/"[^"]*"/g) ?? []
  return header === '*' || tags.includes(etag.replace('W/', ''))
}
