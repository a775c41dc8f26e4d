import type { AppContext, SessionCookie } from '../http/app-env.ts'
import type { StepSession } from '../users/session.ts'
import { callUserObject } from '../users/user-object.ts'
import { countByUser } from './limit-requests-by-user.ts'
import { readPendingCookie, readSessionCookie } from './session-cookie.ts'

/** A session of this browser that can pass a step. */
export interface OpenStep extends StepSession {
  cookie: SessionCookie
  /** Whether it has a cookie of its own, because the sign-in is not finished. */
  isSignIn: boolean
}

/**
 * The session of this browser that waits for a step: that of the last sign-in, or else the browser's
 * session, which may be older than the step, or be asked for it by an app.
 */
export async function readStepSession(c: AppContext): Promise<OpenStep | undefined> {
  // By network: whoever has only the first factor must not use up the limit of the user.
  await countByUser(c, undefined)
  const pending = await readPendingCookie(c)
  for (const cookie of [pending, await readSessionCookie(c)]) {
    const found =
      cookie &&
      (await callUserObject(c.env, cookie.userId, (object) =>
        object.readSessionForStep(cookie.sessionKey),
      ))
    if (found) return { ...found, cookie, isSignIn: cookie === pending }
  }
  return undefined
}

/** The session of this browser that does not count until a step has passed. A sign-out ends it. */
export async function readPendingSession(c: AppContext): Promise<OpenStep | undefined> {
  if (Object.keys(c.get('config').steps).length === 0) return undefined
  const found = await readStepSession(c)
  return found?.isPending ? found : undefined
}
