import { copyLifetime } from '../config/lifetimes.ts'
import { afterResponse } from '../http/after-response.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import type { AuthoritativeSession, Session } from '../users/session.ts'
import { deleteSessionCopy, readSessionCopy } from '../users/session-copies.ts'
import { callUserObject } from '../users/user-object.ts'
import { isProofDelayed, proofDelayed } from './bound-sessions.ts'
import { countByUser } from './limit-requests-by-user.ts'
import { readSessionCookie } from './session-cookie.ts'
import { copiesHaveAccount, copyAfterResponse } from './session-copy.ts'

/**
 * The browser's session from its copy if possible. It may be up to an hour out of date: for display
 * only.
 */
export function sessionForDisplay(c: AppContext): Promise<Session | undefined> {
  const { lifetimes } = c.get('config')
  return readSession(c, { maxAge: copyLifetime(lifetimes), needsAccount: false })
}

/** A session with its method, if that is known: copies do not have it. */
type ReadSession = Session & Partial<Pick<AuthoritativeSession, 'method'>>

/**
 * The browser's session for a session token, with the account if the deployment's claims depend on
 * it: from its copy if the deployment trusts one of this age, unless the caller does not, otherwise
 * from the user's object.
 */
export function sessionForToken(
  c: AppContext,
  { trustsCopies = true } = {},
): Promise<ReadSession | undefined> {
  const { lifetimes, callbacks } = c.get('config')
  const needsAccount = callbacks.claims !== undefined
  return readSession(c, { maxAge: trustsCopies ? lifetimes.trustCopyFor : 0, needsAccount })
}

/** What a caller requires of a session that comes from a copy. */
interface Freshness {
  /** The age of the copy, in seconds. Without a copy if it is zero. */
  maxAge: number
  needsAccount: boolean
}

async function readSession(
  c: AppContext,
  { maxAge, needsAccount }: Freshness,
): Promise<ReadSession | undefined> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const copy = maxAge > 0 ? await readCopy(c, cookie, maxAge) : undefined
  // A copy from before the deployment had the callback has no account.
  if (copy && (!needsAccount || copy.account !== undefined)) {
    await countByUser(c, copy)
    return copy
  }
  const found = await readFromObject(c, cookie, needsAccount || copiesHaveAccount(c))
  if (found && (found.isRenewed || maxAge > 0)) copyAfterResponse(c, cookie, found.session)
  return found && { ...found.session, method: found.method }
}

/** The browser's session from the user's object. Required before anything is issued or changed. */
export async function authoritativeSession(
  c: AppContext,
): Promise<AuthoritativeSession | undefined> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const found = await readFromObject(c, cookie, copiesHaveAccount(c))
  if (found?.isRenewed) copyAfterResponse(c, cookie, found.session)
  return found && { ...found.session, method: found.method }
}

/** The copy of the session, if it is not older than this. */
async function readCopy(
  c: AppContext,
  { sessionKey }: SessionCookie,
  maxAge: number,
): Promise<Session | undefined> {
  return readSessionCopy(c.env, c.get('config'), { sessionKey, maxAge }).catch(() => undefined)
}

async function readFromObject(c: AppContext, cookie: SessionCookie, includesAccount: boolean) {
  const { userId, sessionKey } = cookie
  const found = await callUserObject(c.env, userId, (object) =>
    object.readSession(sessionKey, includesAccount),
  )
  // First, so that a request above the limit deletes nothing.
  await countByUser(c, found?.session)
  // The cookie is not cleared: this response could arrive after that of a new sign-in.
  if (!found) afterResponse(c, deleteSessionCopy(c.env, sessionKey))
  if (!found && isProofDelayed(c, cookie)) throw proofDelayed()
  return found
}
