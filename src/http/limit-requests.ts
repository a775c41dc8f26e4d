import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../config/app-env.ts'
import { limitPageRequests } from '../limits/rate-limit.ts'
import { clientIp } from './client-ip.ts'

/** Limits the requests from one IP address. */
export const limitRequests = createMiddleware<AppEnv>(async (c, next) => {
  const ip = clientIp(c)
  if (ip !== undefined) await limitPageRequests(c.env, ip)
  await next()
})

/**
 * Counts a request by its user or session, because many users may share an IP address; without one,
 * by its IP address. Each counter has the full limit, so that an app that polls the session does
 * not keep its users from signing out.
 */
export async function countRequest(
  c: AppContext,
  counter: string,
  userOrSession: string | undefined,
): Promise<void> {
  const subject = userOrSession ?? clientIp(c)
  if (subject !== undefined) await limitPageRequests(c.env, `${counter} ${subject}`)
}
