import type { AppContext } from './app-env.ts'

/** Two years, as the preload lists ask. */
const HSTS = 'max-age=63072000; includeSubDomains'

/** For every answer. A route may make its own of all of them: that is cheaper than to add them one by one. */
export const HARDENED = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** For pages: nothing else can be framed, be opened by a stranger, or use a camera. */
export const HARDENED_PAGE = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'X-Frame-Options': 'DENY',
}

const hardened = Object.entries(HARDENED)

/** Every answer is hardened, and stays out of every cache unless its route was made of the above and says otherwise. */
export function harden({ req, res: { headers } }: AppContext): void {
  // Straight into the answer: `c.header` would copy it each time.
  if (req.url.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS)
  if (headers.has('X-Content-Type-Options')) return
  for (const [name, value] of hardened) headers.set(name, value)
}
