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
}

const UNLESS_TOLD = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** What a route may make its answer of, as that is cheaper than to add them one by one. */
export const HARDENED = { ...ALWAYS, ...UNLESS_TOLD }

const [always, unlessTold] = [Object.entries(ALWAYS), Object.entries(UNLESS_TOLD)]

/** Every answer is hardened, and stays out of every cache unless its route says otherwise. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()

  // Straight into the answer: `c.header` would copy it each time.
  const { headers } = c.res
  if (c.req.url.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS)
  if (headers.has('X-Frame-Options')) return
  for (const [name, value] of always) headers.set(name, value)
  for (const [name, value] of unlessTold) if (!headers.has(name)) headers.set(name, value)
})
