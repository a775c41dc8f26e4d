import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { countedNetwork } from '../http/client-ip.ts'
import type { Requester } from '../limits/network.ts'
import { limitPageRequests, limitSessionCookies } from '../limits/rate-limit.ts'
import type { Session } from '../users/session.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Whom a request is counted for if no session is read: the user of its cookie, at this network, or
 * the network of a stranger. The session may have ended, and whoever has its cookie must not use up
 * the limit of the user at other networks.
 */
export async function readRequester(c: AppContext): Promise<Requester> {
  const cookie = await readSessionCookie(c)
  const network = countedNetwork(c)
  return cookie ? `${cookie.userId} at ${network?.name}` : network
}

/** Limits the requests of one user at one network, or of all strangers there. */
export const limitRequests = createMiddleware<AppEnv>(async (c, next) => {
  const requester = await readRequester(c)
  await limitBeforeStorage(c, 'pages', requester)
  await next()
})

/**
 * Limits the requests of one user, or of one network without a valid session. Whether a session is
 * valid is known only after storage was read. Before that, requests are limited by session, so that
 * an ended one cannot use up the limit of its user. Each counter has the full limit, so that an app
 * that polls the session does not keep its users from signing out.
 */
export function limitRequestsByUser(counter: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const cookie = await readSessionCookie(c)
    await limitBeforeStorage(c, counter, cookie?.sessionKey ?? countedNetwork(c))
    if (cookie) c.set('pendingCounter', counter)
    await next()
  })
}

/**
 * Counts a request before storage is read. Whoever has collected cookies of many sessions that have
 * ended cannot use each of them as often as a user.
 */
async function limitBeforeStorage(
  c: AppContext,
  counter: string,
  requester: Requester,
): Promise<void> {
  await limitPageRequests(c.env, counter, requester)
  // Second, so that a session above its limit does not use up that of the others.
  if (await readSessionCookie(c)) await limitSessionCookies(c.env, counter, countedNetwork(c))
}

/**
 * Counts a request whose session has been read: by its user if the session is valid, otherwise by
 * its network.
 */
export async function countByUser(c: AppContext, session: Session | undefined): Promise<void> {
  const counter = c.get('pendingCounter')
  if (counter === undefined) return
  c.set('pendingCounter', undefined)
  await limitPageRequests(c.env, counter, session?.user.id ?? countedNetwork(c))
}
