import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { newLogId } from './identifiers.ts'
import type { StandInEnv } from './platform.ts'

const WEB_HOST = 'www.tiktok.com'
const API_HOST = 'open.tiktokapis.com'
const LOOPBACK = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])$/

/** Chromium holds `form-action` against every redirect after a form, up to the app's own: no limit. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

/** Answers at loopback, and at the platform's own addresses, where each host has its own paths. */
export const gateway = createMiddleware<StandInEnv>(async (c, next) => {
  const { hostname, pathname } = new URL(c.req.url)
  if (hostname !== WEB_HOST && hostname !== API_HOST && !LOOPBACK.test(hostname)) {
    return c.text('The stand-in answers at loopback addresses only.', 403)
  }
  c.set('logId', newLogId(c.get('platform').now()))

  if (isElsewhere(hostname, pathname)) c.res = unsupportedPath(c)
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

/** A missing last slash, an unknown path and a wrong method all get this. */
export function unsupportedPath(c: Context): Response {
  return c.text('Unsupported path(Janus)', 404)
}

function isElsewhere(hostname: string, pathname: string): boolean {
  if (pathname.startsWith('/__stand-in/')) return false
  const isPage = /^\/($|settings\/|v2\/auth\/)/.test(pathname)
  return (hostname === API_HOST && isPage) || (hostname === WEB_HOST && !isPage)
}
