import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { SignInError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'

/** Larger than any reasonable authorization request. */
const MAX_URL_LENGTH = 16 * 1024 // characters

/** Five attempts of about a kilobyte each, and the cookies of other services on the same domain. */
const MAX_COOKIE_LENGTH = 16 * 1024 // characters

/** Our forms have a few short fields. */
const MAX_BODY_SIZE = 16 * 1024 // bytes

/** Rejects a URL or Cookie header that is too long, before anything parses it. */
export const headerLimit = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.url.length > MAX_URL_LENGTH) throw new SignInError('request_too_large', { status: 414 })
  if ((c.req.header('Cookie') ?? '').length > MAX_COOKIE_LENGTH) {
    throw new SignInError('request_too_large', { status: 431 })
  }
  await next()
})

const limitBody = bodyLimit({
  maxSize: MAX_BODY_SIZE,
  onError: () => {
    throw new SignInError('request_too_large')
  },
})

/** Rejects a body that is too large or cannot be read. */
export const requestBodyLimit = createMiddleware<AppEnv>(async (c, next) => {
  if (!c.req.raw.body) return next()
  try {
    return await limitBody(c, async () => {
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
