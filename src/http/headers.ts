import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env.ts'

/** Two years, as the preload lists ask. */
const HSTS = 'max-age=63072000; includeSubDomains'

const ALWAYS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const

/** Every answer is hardened, and stays out of every cache unless its route says otherwise. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()

  for (const [name, value] of Object.entries(ALWAYS)) c.header(name, value)
  if (new URL(c.req.url).protocol === 'https:') c.header('Strict-Transport-Security', HSTS)
  if (!c.res.headers.has('Content-Security-Policy')) {
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  }
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
})
