import type { AppContext, SessionCookie } from '../config/app-env.ts'
import { copyLifetime } from '../config/lifetimes.ts'
import { afterResponse } from '../http/after-response.ts'
import type { Session } from '../users/session.ts'
import { deleteCachedSession, readCachedSession } from '../users/session-cache.ts'
import { callUserObject } from '../users/user-object.ts'
import { countByUser } from './limit-requests-by-user.ts'
import { readSessionCookie } from './session-cookie.ts'
import { cacheAfterResponse, cachesAccount } from './session-copy.ts'

/**
 * The browser's session from the cache if possible. May be up to an hour out of date: for display
 * only.
 */
export async function cachedSession(c: AppContext): Promise<Session | undefined> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const cached = await readCopy(c, cookie, copyLifetime(c.get('config').lifetimes))
  if (cached) {
    await countByUser(c, cached)
    return cached
  }
  const found = await readFromObject(c, cookie, cachesAccount(c))
  if (found) cacheAfterResponse(c, cookie, found.session)
  return found?.session
}

/**
 * The browser's session for a session token, with the account if the deployment's claims depend on
 * it: from the cache if the deployment trusts a copy of this age, otherwise from the user's object.
 */
export async function sessionForToken(c: AppContext): Promise<Session | undefined> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const { lifetimes, callbacks } = c.get('config')
  const { trustCopyFor } = lifetimes
  const needsAccount = callbacks.claims !== undefined
  const cached = trustCopyFor > 0 ? await readCopy(c, cookie, trustCopyFor) : undefined
  // A copy from before the deployment had the callback has no account.
  if (cached && (!needsAccount || cached.account !== undefined)) {
    await countByUser(c, cached)
    return cached
  }
  const found = await readFromObject(c, cookie, needsAccount)
  if (found && (found.isRenewed || trustCopyFor > 0)) cacheAfterResponse(c, cookie, found.session)
  return found?.session
}

/** The browser's session from the user's object. Required before anything is issued or changed. */
export async function authoritativeSession(c: AppContext): Promise<Session | undefined> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const found = await readFromObject(c, cookie, cachesAccount(c))
  if (found?.isRenewed) cacheAfterResponse(c, cookie, found.session)
  return found?.session
}

/** A copy of the session in the cache that is not older than this. */
async function readCopy(
  c: AppContext,
  { secretDigest }: SessionCookie,
  maxAge: number,
): Promise<Session | undefined> {
  return readCachedSession(c.env, secretDigest, maxAge).catch(() => undefined)
}

async function readFromObject(
  c: AppContext,
  { userId, secretDigest }: SessionCookie,
  includesAccount: boolean,
) {
  const found = await callUserObject(c.env, userId, (object) =>
    object.readSession(secretDigest, includesAccount),
  )
  // The cookie is not cleared: this response could arrive after that of a new sign-in.
  if (!found) afterResponse(c, deleteCachedSession(c.env, secretDigest))
  await countByUser(c, found?.session)
  return found
}
