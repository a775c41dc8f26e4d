import { getPath } from 'hono/utils/url'
import type { AppContext } from './app-env.ts'

/**
 * The authorization request that a sign-in continues is a part of the path: `/api/auth/request/<sealed>/signin`. The links of the
 * sign-in page are relative to it, so that the page does not repeat the request in each of them. Credentials are sent to
 * `/callback`.
 */
const PREFIX = /^\/api\/auth\/request\/([\w-]+)(?=\/(?:signin|callback)(?:\/|$))/

/** What precedes `/signin` in the path of a page that continues this sealed authorization request. */
export function sealedRequestPath(sealed: string): string {
  return `/api/auth/request/${sealed}`
}

/** The path by which a request is routed. */
export function routedPath(request: Request): string {
  return getPath(request).replace(PREFIX, '/api/auth')
}

/** The sealed authorization request in the path, if there is one. */
export function sealedRequestInPath(c: AppContext): string | undefined {
  return PREFIX.exec(getPath(c.req.raw))?.[1]
}
