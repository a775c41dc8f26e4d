import { digest } from '../../foundation/crypto/digest.ts'
import { randomId, randomSecret } from '../../foundation/crypto/random.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { PENDING_LIFETIME } from '../config/lifetimes.ts'
import { afterResponse } from '../http/after-response.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import { clearCookie } from '../http/cookies.ts'
import { addToLog } from '../http/request-log.ts'
import { clearPreference } from '../pages/preferences.ts'
import type { Session, SessionOpening } from '../users/session.ts'
import { deleteSessionCopy } from '../users/session-copies.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject, userObject } from '../users/user-object.ts'
import { boundSessions } from './bound-sessions.ts'
import { describeDevice } from './device.ts'
import { rememberUser } from './known-browser.ts'
import { readPendingCookie, readSessionCookie, writeSessionCookie } from './session-cookie.ts'
import { copiesHaveAccount, copyAfterResponse } from './session-copy.ts'
import { askSteps } from './steps.ts'

/** The audit log has a successful sign-in, because the database does not have the block. */
export const BLOCKED_IN_OBJECT =
  'the user is blocked, but the database does not have the block: block or unblock the user once more'

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
    | 'featureData'
    | 'continuation'
  > {
  /** The state of the attempt. */
  state: string
  /** The secret of the session, if a feature may have to find it again. */
  secret?: string | undefined
  isConfirmation?: boolean | undefined
}

interface SignedIn {
  secretDigest: string
  /** When the user's ways to sign in were last changed, if they have to be told. */
  methodsChangedAt: number | undefined
  /** Whether the session waits for a step, and the page of that step, if it is known. */
  isPending: boolean
  stepPath: string | undefined
}

/**
 * Signs this browser in: opens a session in the user's object and sets the cookie. It is copied
 * after the response. If a feature asks something more of the user, the session waits for that.
 */
export async function openSession(
  c: AppContext,
  user: UserRecord,
  signIn: SignIn,
): Promise<SignedIn> {
  const { state, secret = randomSecret(), isConfirmation = false, ...opening } = signIn
  const former = await readSessionCookie(c)
  const [secretDigest, attempt] = await Promise.all([digest(secret), digest(state)])
  const {
    steps,
    path: stepPath,
    isKnownBrowser,
  } = await askSteps(c, {
    user,
    level: opening.level,
    amr: opening.amr,
    authenticatedAt: opening.authenticatedAt ?? nowInSeconds(),
    method: opening.account,
    client: c.get('client'),
  })
  const opened = await callUserObject(c.env, user.id, (object) =>
    object.openSession({
      ...opening,
      secretDigest,
      sid: randomId('ses'),
      attempt,
      user,
      ...(steps && { steps, isKnownBrowser }),
      isConfirmation,
      includesAccount: copiesHaveAccount(c),
      ...describeDevice(c),
      ...(former?.userId === user.id && { replaces: former.sessionKey }),
    }),
  )
  if (!opened) throw await explainNoSession(c, user.id)

  const { methodsChangedAt, isPending = false, ...session } = opened
  if (isPending) {
    await setPendingCookie(c, user.id, secret)
    addToLog(c, { event: 'signin_pending', userId: user.id })
  } else {
    await startSession(c, { session, secret, secretDigest, former })
  }
  return { secretDigest, methodsChangedAt, isPending, stepPath }
}

/**
 * Why the user's object has opened no session. Only the object knows of a block from after the time
 * to which the database was restored.
 */
export async function explainNoSession(c: AppContext, userId: string): Promise<SignInError> {
  const isBlocked = await callUserObject(c.env, userId, (object) => object.isBlocked())
  if (!isBlocked) return new SignInError('attempt_missing')
  return new SignInError('user_blocked', { detail: { hint: BLOCKED_IN_OBJECT } })
}

interface StartedSession {
  session: Session
  secret: string
  secretDigest: string
  /** The session that the browser had before. */
  former: SessionCookie | undefined
}

/** Signs this browser in with a session that counts from now on. */
export async function startSession(
  c: AppContext,
  { session, secret, secretDigest, former }: StartedSession,
): Promise<void> {
  const { id: userId } = session.user
  copyAfterResponse(c, { sessionKey: secretDigest }, session)
  await setSessionCookie(c, userId, secret)
  await offerBinding(c, session, secretDigest)
  // Otherwise a step that trusts known browsers would trust that of an unconfirmed account.
  if (session.steps && session.level !== 'unconfirmed') await rememberUser(c, userId)
  addToLog(c, { event: 'signin', userId })
  if (former) afterResponse(c, endFormerSession(c, former, userId))
}

/** Only the response that opens a session offers it: whoever has a copy of the cookies gets nothing. */
export async function offerBinding(
  c: AppContext,
  { user, unsettled }: Session,
  secretDigest: string,
): Promise<void> {
  if (!unsettled?.isBindable) return
  const feature = boundSessions(c)
  feature?.forget(c)
  await feature?.offer(c, { userId: user.id, secretDigest })
}

export async function setSessionCookie(
  c: AppContext,
  userId: string,
  secret: string,
): Promise<void> {
  const maxAge = c.get('config').lifetimes.sessionAbsolute
  await writeSessionCookie(c, 'session', { userId, secret, maxAge })
  if (await readPendingCookie(c)) clearCookie(c, 'pending')
  clearPreference(c, 'signed-out')
}

/** A cookie of its own, so that a former session of this browser continues if the user gives up. */
export async function setPendingCookie(
  c: AppContext,
  userId: string,
  secret: string,
): Promise<void> {
  await writeSessionCookie(c, 'pending', { userId, secret, maxAge: PENDING_LIFETIME })
}

/** Ends the browser's former session once another has replaced it. */
async function endFormerSession(
  c: AppContext,
  former: SessionCookie,
  newUserId: string,
): Promise<void> {
  if (former.userId !== newUserId)
    await userObject(c.env, former.userId).endSession(former.sessionKey)
  await deleteSessionCopy(c.env, former.sessionKey)
}
