import { createMiddleware } from 'hono/factory'
import type { Config } from '../config/config.ts'
import type { AppContext, AppEnv } from './app-env.ts'

/** Two years, as recommended for browsers' preload lists. */
const STRICT_TRANSPORT_SECURITY = 'max-age=63072000'

/**
 * Sets the headers of every response. They are set on the finished response itself, because
 * `c.header()` would copy it for each of them. A route may choose another Cache-Control.
 */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { headers } = c.res
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('X-Content-Type-Options', 'nosniff')
  if (c.req.url.startsWith('https:')) {
    // A misconfigured deployment has no Config.
    const config: Config | undefined = c.get('config')
    const suffix = config?.protectsSubDomains ? '; includeSubDomains' : ''
    headers.set('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY + suffix)
  }
})

/** Sets the additional headers of a page: it cannot be framed, or use a camera. */
export function setPageHeaders(c: AppContext, contentSecurityPolicy: string): void {
  c.header('Content-Security-Policy', contentSecurityPolicy)
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  c.header('X-Frame-Options', 'DENY')
}
