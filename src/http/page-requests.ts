import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../config/app-env.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { limitPageRequests } from '../limits/rate-limit.ts'
import { clientAddress } from './client-address.ts'

/** Browsers discard a failed prefetch and send the request again when the user follows the link. */
const PREFETCH_STATUS = 503

/**
 * Rejects prefetches and link previews, so that they do not start what the user did not request.
 */
export const rejectPrefetch = createMiddleware<AppEnv>(async (c, next) => {
  if (isPrefetch(c)) return c.body(null, PREFETCH_STATUS)
  if (c.req.method === 'HEAD') throw new SignInError('method_not_allowed')
  return next()
})

/** Whether the browser only prepares for a navigation that may never happen. */
export function isPrefetch(c: AppContext): boolean {
  const purpose = ['Sec-Purpose', 'Purpose', 'X-Moz'].map((name) => c.req.header(name)).join(' ')
  return /prefetch|prerender|preview/i.test(purpose)
}

/** Limits the requests from one address. */
export const limitRequests = createMiddleware<AppEnv>(async (c, next) => {
  const address = clientAddress(c)
  if (address !== undefined) await limitPageRequests(c.env, address)
  await next()
})

/**
 * Counts a request by its user or session, because many users may share an address; without one, by
 * its address. Each counter has the full limit, so that an app that polls the session does not keep
 * its users from signing out.
 */
export async function countRequest(
  c: AppContext,
  counter: string,
  userOrSession: string | undefined,
): Promise<void> {
  const subject = userOrSession ?? clientAddress(c)
  if (subject !== undefined) await limitPageRequests(c.env, `${counter} ${subject}`)
}
