import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { newLogId } from './identifiers.ts'
import type { StandInEnv } from './platform.ts'

const WEB_HOST = 'www.tiktok.com'
const API_HOST = 'open.tiktokapis.com'
const LOOPBACK = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Without `form-action`: Chromium applies it to every redirect after a form, including the app's
 * own.
 */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

/** Accepts loopback hosts, and the platform's own hosts with the paths that each of them serves. */
export const gateway = createMiddleware<StandInEnv>(async (c, next) => {
  const { hostname, pathname } = new URL(c.req.url)
  if (hostname !== WEB_HOST && hostname !== API_HOST && !LOOPBACK.test(hostname)) {
    return c.text('The stand-in is available at loopback addresses only.', 403)
  }
  c.set('logId', newLogId(c.get('platform').now()))

  if (belongsToOtherHost(hostname, pathname)) c.res = unsupportedPath(c)
  else await next()

  c.header('x-tt-logid', c.get('logId'))
  c.header('Cache-Control', 'max-age=0, no-cache, no-store')
  c.header('Pragma', 'no-cache')
  if (c.res.headers.get('Content-Type')?.startsWith('text/html')) {
    c.header('Content-Security-Policy', PAGE_POLICY)
    c.header('Referrer-Policy', 'no-referrer')
  }
  return undefined
})

/** The response to a missing trailing slash, an unknown path and a wrong method. */
export function unsupportedPath(c: Context): Response {
  return c.text('Unsupported path(Janus)', 404)
}

function belongsToOtherHost(hostname: string, pathname: string): boolean {
  if (pathname.startsWith('/__stand-in/')) return false
  const isPage = /^\/($|settings\/|v2\/auth\/)/.test(pathname)
  return (hostname === API_HOST && isPage) || (hostname === WEB_HOST && !isPage)
}
