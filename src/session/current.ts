import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv, SessionCookie } from '../config/app-env.ts'
import { copyLifetime } from '../config/lifetimes.ts'
import { digest } from '../crypto/digest.ts'
import { randomId, randomSecret } from '../crypto/random.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { afterResponse, emitEvent } from '../http/after-response.ts'
import { auditUserEvent } from '../http/audit.ts'
import { clearCookie, readSealedCookie, setSealedCookie } from '../http/cookies.ts'
import { countRequest } from '../http/limit-requests.ts'
import { addToLog } from '../http/request-log.ts'
import { clearPreference, setPreference } from '../pages/preferences.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { listAccounts } from '../users/directory.ts'
import { provingAccounts } from '../users/proving-accounts.ts'
import type { Session, SessionOpening } from '../users/session.ts'
import { cacheSession, deleteCachedSession, readCachedSession } from '../users/session-cache.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject, userObject } from '../users/user-object.ts'
import { nowInSeconds } from '../values/clock.ts'
import { describeDevice } from './device.ts'

/** How long a sign-in counts as proof that the user is present, for changes to the account. */
const RECENT_SIGN_IN = 600 // seconds

interface SignIn
  extends Pick<
    SessionOpening,
    'claimedAt' | 'level' | 'authenticatedAt' | 'amr' | 'account' | 'addedMethod' | 'upstream'
  > {
  /** The state of the attempt. */
  state: string
  isConfirmation?: boolean | undefined
}

/**
 * Signs this browser in: opens a session in the user's object and sets the cookie. The copy in the
 * cache is written after the response. Returns when the user's ways to sign in were last changed,
 * if they have to be told.
 */
export async function openSession(
  c: AppContext,
  user: UserRecord,
  signIn: SignIn,
): Promise<number | undefined> {
  const config = c.get('config')
  const { state, isConfirmation = false, ...opening } = signIn
  const secret = randomSecret()
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
      includesAccount: cachesAccount(c),
      ...describeDevice(c),
      ...(former?.userId === user.id && { replaces: former.secretDigest }),
    }),
  )
  if (!opened) throw new SignInError('attempt_missing')

  const { methodsChangedAt, ...session } = opened
  cacheAfterResponse(c, { secretDigest }, session)
  await setSealedCookie(c, 'session', {
    value: `${user.id}.${secret}`,
    maxAge: config.lifetimes.sessionAbsolute,
  })
  clearPreference(c, 'signed-out')
  addToLog(c, { event: 'signin', userId: user.id })
  if (former) afterResponse(c, endFormerSession(c, former, user.id))
  return methodsChangedAt
}

/** Ends the browser's former session once another has replaced it. */
async function endFormerSession(
  c: AppContext,
  former: SessionCookie,
  newUserId: string,
): Promise<void> {
  if (former.userId !== newUserId)
    await userObject(c.env, former.userId).endSession(former.secretDigest)
  await deleteCachedSession(c.env, former.secretDigest)
}

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

/** A copy of the session in the cache that is not older than this. */
async function readCopy(
  c: AppContext,
  { secretDigest }: SessionCookie,
  maxAge: number,
): Promise<Session | undefined> {
  return readCachedSession(c.env, secretDigest, maxAge).catch(() => undefined)
}

function cacheAfterResponse(
  c: AppContext,
  { secretDigest }: Pick<SessionCookie, 'secretDigest'>,
  session: Session,
): void {
  afterResponse(
    c,
    logCopyFailure(c, cacheSession(c.env, c.get('config'), { secretDigest, session })),
  )
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
function cachesAccount(c: AppContext): boolean {
  const { lifetimes, callbacks } = c.get('config')
  return callbacks.claims !== undefined && lifetimes.trustCopyFor > 0
}

/** The browser's session from the user's object. Required before anything is issued or changed. */
export async function authoritativeSession(c: AppContext): Promise<Session | undefined> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const found = await readFromObject(c, cookie, cachesAccount(c))
  if (found?.isRenewed) cacheAfterResponse(c, cookie, found.session)
  return found?.session
}

/**
 * The session of a user who has signed in recently, with as much proof as they can give; others are
 * asked to sign in again, and continue at this path.
 */
export async function requireRecentSession(c: AppContext, continueAt?: string): Promise<Session> {
  const session = await recentSession(c)
  if (!session) throw new SignInError('sign_in_again', { continueAt })
  return session
}

/** The session of a user who has signed in recently, with as much proof as they can give. */
export async function recentSession(c: AppContext): Promise<Session | undefined> {
  const session = await authoritativeSession(c)
  return session && (await isRecent(c, session)) ? session : undefined
}

/** Whether the user has signed in recently, with as much proof as they can give. */
export async function isRecent(c: AppContext, session: Session): Promise<boolean> {
  if (session.level === 'silent') return false
  if (nowInSeconds() - session.authenticatedAt >= RECENT_SIGN_IN) return false
  return isStrongest(c, session)
}

/**
 * Whether the user could not prove more than they did in this session: it is proved, or they have no
 * account that can prove a sign-in.
 */
export async function isStrongest(c: AppContext, { level, user }: Session): Promise<boolean> {
  if (level === 'proved') return true
  const accounts = await requireStorage(async () => listAccounts(c.env, user.id))
  return provingAccounts(c.get('config'), accounts).length === 0
}

/**
 * Adds the email address of an account that was just linked to a user who had none. The directory
 * has it already, so a failure only means that apps and pages get it after the next sign-in.
 */
export async function addEmail(c: AppContext, { user }: Session, email: string): Promise<void> {
  if (user.email) return
  try {
    await callUserObject(c.env, user.id, (object) => object.addEmail(email))
  } catch (error) {
    addToLog(c, { cause: String(error) })
  }
  const cookie = await readSessionCookie(c)
  if (cookie) await logCopyFailure(c, deleteCachedSession(c.env, cookie.secretDigest))
}

/**
 * Ends this browser's session, in the user's object first, so that it has ended even if a later
 * step fails. Returns the id of the provider that it was opened with, if there was a session.
 */
export async function endSession(c: AppContext): Promise<string | undefined> {
  // Only the cache: our cookies are cleared below, and other services may share the domain.
  c.header('Clear-Site-Data', '"cache"')
  const cookie = await readSessionCookie(c)
  if (!cookie) return undefined
  const { userId, secretDigest } = cookie
  const ended = await callUserObject(c.env, userId, (object) => object.endSession(secretDigest))
  await logCopyFailure(c, deleteCachedSession(c.env, secretDigest))
  clearCookie(c, 'session')
  setPreference(c, 'signed-out', 'yes')
  addToLog(c, { event: 'signout', userId })
  if (ended) reportSignOut(c, userId, 'current')
  return ended?.provider
}

/** Ends the user's sessions in all other browsers. */
export async function endOtherSessions(c: AppContext): Promise<void> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return
  const isEnded = await callUserObject(c.env, cookie.userId, (object) =>
    object.endOtherSessions(cookie.secretDigest),
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
async function countByUser(c: AppContext, session: Session | undefined): Promise<void> {
  const counter = c.get('pendingCounter')
  if (counter === undefined) return
  c.set('pendingCounter', undefined)
  await countRequest(c, counter, session?.user.id)
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

/**
 * Reads the session cookie; it is opened once per request. Malformed cookies are rejected before
 * any storage is read.
 */
export function readSessionCookie(c: AppContext): Promise<SessionCookie | undefined> {
  const cookie = c.get('sessionCookie') ?? openSessionCookie(c)
  c.set('sessionCookie', cookie)
  return cookie
}

async function openSessionCookie(c: AppContext): Promise<SessionCookie | undefined> {
  const [userId, secret] = (await readSealedCookie(c, 'session'))?.split('.') ?? []
  return userId && secret ? { userId, secretDigest: await digest(secret) } : undefined
}
