import { emitEvent } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditUserEvent } from '../http/audit.ts'
import { clearCookie } from '../http/cookies.ts'
import { addToLog } from '../http/request-log.ts'
import { setPreference } from '../pages/preferences.ts'
import { callUserObject } from '../users/user-object.ts'
import { boundSessions } from './bound-sessions.ts'
import { readPendingCookie, readSessionCookie } from './session-cookie.ts'
import { deleteCopy } from './session-copy.ts'

/**
 * Ends this browser's session, in the user's object first, so that it has ended even if a later
 * step fails. Returns the id of the provider that it was opened with, if there was a session.
 */
export async function endSession(c: AppContext): Promise<string | undefined> {
  // Only the cache: our cookies are cleared below, and other services may share the domain.
  c.header('Clear-Site-Data', '"cache"')
  await endPendingSession(c)
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const { userId, sessionKey } = cookie
  const ended = await callUserObject(c.env, userId, (object) => object.endSession(sessionKey))
  await deleteCopy(c, sessionKey)
  clearCookie(c, 'session')
  boundSessions(c)?.forget(c)
  setPreference(c, 'signed-out', 'yes')
  addToLog(c, { event: 'signout', userId })
  if (ended) reportSignOut(c, userId, 'current')
  return ended?.provider
}

/** Ends a session of this browser that waits for a step. */
async function endPendingSession(c: AppContext): Promise<void> {
  const pending = await readPendingCookie(c)
  if (!pending) return
  await callUserObject(c.env, pending.userId, (object) => object.endSession(pending.sessionKey))
  clearCookie(c, 'pending')
}

/** Ends the user's sessions in all other browsers. */
export async function endOtherSessions(c: AppContext): Promise<void> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return
  const isEnded = await callUserObject(c.env, cookie.userId, (object) =>
    object.endOtherSessions(cookie.sessionKey),
  )
  if (isEnded) reportSignOut(c, cookie.userId, 'others')
}

/** Reports ended sessions to the deployment and records them. */
export function reportSignOut(
  c: AppContext,
  userId: string,
  sessions: 'current' | 'one' | 'others',
): void {
  emitEvent(c, 'signOut', { user: { id: userId }, sessions })
  auditUserEvent(c, userId, { event: 'sign_out', detail: sessions })
}
