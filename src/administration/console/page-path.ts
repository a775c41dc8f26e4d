import type { AppContext } from '../../core/http/app-env.ts'

/** The path of the request as it was sent. Hono decodes parts of `c.req.path`. */
export function pagePath(c: AppContext): string {
  return new URL(c.req.url).pathname
}
