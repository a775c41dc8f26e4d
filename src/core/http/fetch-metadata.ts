import { createMiddleware } from 'hono/factory'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { AppContext, AppEnv } from './app-env.ts'

/** Browsers discard a failed prefetch and send the request again when the user follows the link. */
const PREFETCH_STATUS = 503

/**
 * Where a request comes from: `same-origin`, `same-site`, `cross-site`, or `none` for the address
 * bar ({@link https://www.w3.org/TR/fetch-metadata/}). Old browsers do not say.
 */
export function requestSite(c: AppContext): string | undefined {
  return c.req.header('Sec-Fetch-Site')
}

/** Whether the request came from our own page or the address bar, and not from another site. */
export function isOwnOrTyped(c: AppContext): boolean {
  const site = requestSite(c)
  return site === 'same-origin' || site === 'none'
}

/** Whether the browser opens the response as a page, not in a frame. True for old browsers. */
export function isNavigation(c: AppContext): boolean {
  return (
    (c.req.header('Sec-Fetch-Mode') ?? 'navigate') === 'navigate' &&
    (c.req.header('Sec-Fetch-Dest') ?? 'document') === 'document'
  )
}

/** Whether the browser only prepares for a navigation that may never happen. */
export function isPrefetch(c: AppContext): boolean {
  const purpose = ['Sec-Purpose', 'Purpose', 'X-Moz'].map((name) => c.req.header(name)).join(' ')
  return /prefetch|prerender|preview/i.test(purpose)
}

/**
 * Rejects prefetches and link previews, so that they do not start what the user did not request.
 */
export const rejectPrefetch = createMiddleware<AppEnv>(async (c, next) => {
  if (isPrefetch(c)) return c.body(null, PREFETCH_STATUS)
  if (c.req.method === 'HEAD') throw new SignInError('method_not_allowed')
  return next()
})
