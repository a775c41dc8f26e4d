import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { AppEnv } from './app-env.ts'
import { clearFlowCookies } from './cookies.ts'

/** Larger than any reasonable authorization request. */
const MAX_URL_LENGTH = 16 * 1024 // characters

/**
 * Interactions (12 KiB) and attempts (7 KiB), some more that simultaneous requests have added, and
 * the cookies of other services on the same domain.
 */
const MAX_COOKIE_LENGTH = 32 * 1024 // characters

/** Our forms have a few short fields. */
const MAX_BODY_SIZE = 16 * 1024 // bytes

/** Rejects a URL or Cookie header that is too long, before anything parses it. */
export const headerLimit = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.url.length > MAX_URL_LENGTH) throw new SignInError('request_too_large', { status: 414 })
  if ((c.req.header('Cookie') ?? '').length > MAX_COOKIE_LENGTH) {
    // Otherwise the browser would be locked out until they expire.
    clearFlowCookies(c)
    throw new SignInError('request_too_large', { status: 431 })
  }
  await next()
})

function createBodyLimit(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new SignInError('request_too_large')
    },
  })
}

/** Rejects a body that is too large or cannot be read. Some paths have sizes of their own. */
export function requestBodyLimit(sizes: Readonly<Record<string, number>> = {}) {
  const limitBody = createBodyLimit(MAX_BODY_SIZE)
  const others = new Map(Object.entries(sizes).map(([path, size]) => [path, createBodyLimit(size)]))
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!c.req.raw.body) return next()
    try {
      const limit = others.get(c.req.path) ?? limitBody
      return await limit(c, async () => {
        // Read here, so that a body that breaks off is rejected here too, and all readers get the
        // same bytes.
        await c.req.arrayBuffer()
        await next()
      })
    } catch (cause) {
      // Hono has already handled the errors of everything after this middleware, so reading has
      // failed.
      throw cause instanceof SignInError ? cause : new SignInError('request_invalid', { cause })
    }
  })
}
