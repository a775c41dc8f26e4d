import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env.ts'

/** Two years, as the preload lists ask. */
const HSTS = 'max-age=63072000; includeSubDomains'

const ALWAYS = Object.entries({
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
})

/** Every answer is hardened, and stays out of every cache unless its route says otherwise. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()

  // Straight into the answer: `c.header` would copy it each time.
  const { headers } = c.res
  for (const [name, value] of ALWAYS) headers.set(name, value)
  if (c.req.url.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS)
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  }
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
})
