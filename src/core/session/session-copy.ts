import { afterResponse } from '../http/after-response.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import type { Session } from '../users/session.ts'
import { deleteSessionCopy, storeSessionCopy } from '../users/session-copies.ts'
import { proofOfKey } from '../users/session-key.ts'

export function copyAfterResponse(
  c: AppContext,
  { sessionKey }: Pick<SessionCookie, 'sessionKey'>,
  session: Session,
): void {
  // A copy must not be found without the proof that the session needs, or may need soon.
  if (session.unsettled || (session.isBound && !proofOfKey(sessionKey))) return
  afterResponse(
    c,
    logCopyFailure(c, storeSessionCopy(c.env, c.get('config'), { sessionKey, session })),
  )
}

/** Deletes a copy whose session was ended or changed. */
export async function deleteCopy(c: AppContext, sessionKey: string): Promise<void> {
  await logCopyFailure(c, deleteSessionCopy(c.env, sessionKey))
}

/**
 * Waits for a change of a session's copy, whose failure is logged and otherwise ignored: the user's
 * object has the session. It has a line of its own, because the line of the request names what the
 * request did.
 */
async function logCopyFailure(c: AppContext, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const line = { requestId: c.get('requestId'), event: 'session_copy_failed' }
    console.error(JSON.stringify({ ...line, cause: String(error) }))
  }
}

/** Copies contain the account if claims depend on it and tokens are issued from copies. */
export function copiesHaveAccount(c: AppContext): boolean {
  const { lifetimes, callbacks } = c.get('config')
  return callbacks.claims !== undefined && lifetimes.trustCopyFor > 0
}
