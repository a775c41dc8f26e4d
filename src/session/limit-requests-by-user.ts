import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../config/app-env.ts'
import { countRequest } from '../http/limit-requests.ts'
import type { Session } from '../users/session.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Limits the requests of one user, or of one IP address without a valid session. Whether a session
 * is valid is known only after storage was read. Before that, requests are limited by session, so
 * that an ended one cannot use up the limit of its user.
 */
export function limitRequestsByUser(counter: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const cookie = await readSessionCookie(c)
    await countRequest(c, counter, cookie?.secretDigest)
    if (cookie) c.set('pendingCounter', counter)
    await next()
  })
}

/**
 * Counts a request whose session has been read: by its user if the session is valid, otherwise by
 * its IP address.
 */
export async function countByUser(c: AppContext, session: Session | undefined): Promise<void> {
  const counter = c.get('pendingCounter')
  if (counter === undefined) return
  c.set('pendingCounter', undefined)
  await countRequest(c, counter, session?.user.id)
}
