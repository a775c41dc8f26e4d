import { digest } from '../crypto/digest.ts'
import { randomId, randomSecret } from '../crypto/random.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { afterResponse } from '../http/after-response.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import { setSealedCookie } from '../http/cookies.ts'
import { addToLog } from '../http/request-log.ts'
import { clearPreference } from '../pages/preferences.ts'
import type { OpenedSession, SessionOpening } from '../users/session.ts'
import { deleteSessionCopy } from '../users/session-copies.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject, userObject } from '../users/user-object.ts'
import { describeDevice } from './device.ts'
import { readSessionCookie } from './session-cookie.ts'
import { copiesHaveAccount, copyAfterResponse } from './session-copy.ts'

interface SignIn
  extends Pick<
    SessionOpening,
    | 'claimedAt'
    | 'level'
    | 'authenticatedAt'
    | 'amr'
    | 'account'
    | 'addedMethod'
    | 'upstream'
    | 'rolesCopy'
    | 'featureData'
  > {
  /** The state of the attempt. */
  state: string
  /** The secret of the session, if {@link repeatSession} may have to find it again. */
  secret?: string | undefined
  isConfirmation?: boolean | undefined
}

interface SignedIn {
  secretDigest: string
  /** When the user's ways to sign in were last changed, if they have to be told. */
  methodsChangedAt: number | undefined
}

/**
 * Signs this browser in: opens a session in the user's object and sets the cookie. It is copied
 * after the response.
 */
export async function openSession(
  c: AppContext,
  user: UserRecord,
  signIn: SignIn,
): Promise<SignedIn> {
  const { state, secret = randomSecret(), isConfirmation = false, ...opening } = signIn
  const former = await readSessionCookie(c)
  const [secretDigest, attempt] = await Promise.all([digest(secret), digest(state)])
  const opened = await callUserObject(c.env, user.id, (object) =>
    object.openSession({
      ...opening,
      secretDigest,
      sid: randomId('ses'),
      attempt,
      user,
      isConfirmation,
      includesAccount: copiesHaveAccount(c),
      ...describeDevice(c),
      ...(former?.userId === user.id && { replaces: former.secretDigest }),
    }),
  )
  if (!opened) throw new SignInError('attempt_missing')

  const { methodsChangedAt, ...session } = opened
  copyAfterResponse(c, { secretDigest }, session)
  await setSessionCookie(c, user.id, secret)
  addToLog(c, { event: 'signin', userId: user.id })
  if (former) afterResponse(c, endFormerSession(c, former, user.id))
  return { secretDigest, methodsChangedAt }
}

/**
 * Signs this browser in with a session that was opened a moment ago, unless it has ended. Nothing is
 * stored or recorded.
 */
export async function repeatSession(
  c: AppContext,
  userId: string,
  secret: string,
): Promise<OpenedSession | undefined> {
  const secretDigest = await digest(secret)
  const opened = await callUserObject(c.env, userId, (object) =>
    object.readOpenedSession(secretDigest),
  )
  if (!opened) return undefined
  await setSessionCookie(c, userId, secret)
  addToLog(c, { event: 'signin_repeated', userId })
  return opened
}

async function setSessionCookie(c: AppContext, userId: string, secret: string): Promise<void> {
  const maxAge = c.get('config').lifetimes.sessionAbsolute
  await setSealedCookie(c, 'session', { value: `${userId}.${secret}`, maxAge })
  clearPreference(c, 'signed-out')
}

/** Ends the browser's former session once another has replaced it. */
async function endFormerSession(
  c: AppContext,
  former: SessionCookie,
  newUserId: string,
): Promise<void> {
  if (former.userId !== newUserId)
    await userObject(c.env, former.userId).endSession(former.secretDigest)
  await deleteSessionCopy(c.env, former.secretDigest)
}
