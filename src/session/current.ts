import { digest, randomId, randomSecret } from '../crypto/random.ts'
import { SignInError } from '../errors.ts'
import { afterResponse, tolerate } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { clearCookie, readSealedCookie, setSealedCookie } from '../http/cookies.ts'
import { note } from '../http/request-log.ts'
import { ABSOLUTE_LIFETIME, type Session, type SessionOpening } from '../users/session.ts'
import { dropCopy, readCopy, writeCopy } from '../users/session-cache.ts'
import type { UserRecord } from '../users/user.ts'
import { userObject } from '../users/user-object.ts'
import { describeBrowser } from './device.ts'

/** What the session cookie says once it is opened. */
export interface Ticket {
  userId: string
  /** The digest under which object and copy know the session. */
  key: string
}

/** Signs this browser in: a fresh session, in the person's object first, then the copy, then the cookie. */
export async function openSession(
  c: AppContext,
  user: UserRecord,
  about: Pick<SessionOpening, 'isForced' | 'account' | 'upstream'> & { state: string },
): Promise<void> {
  const secret = randomSecret()
  const before = await readTicket(c)
  const [key, usedAttempt] = await Promise.all([digest(secret), digest(about.state)])
  const session = await askObject(c, user.id, (object) =>
    object.openSession({
      key,
      sid: randomId('ses'),
      attempt: usedAttempt,
      user,
      isForced: about.isForced,
      account: about.account,
      upstream: about.upstream,
      ...describeBrowser(c),
      ...(before?.userId === user.id && { replaces: before.key }),
    }),
  )
  if (!session) throw new SignInError('attempt_missing')

  await tolerate(c, 'session_copy_failed', writeCopy(c.env, key, session))
  await setSealedCookie(c, 'session', { value: `${user.id}.${secret}`, maxAge: ABSOLUTE_LIFETIME })
  note(c, { event: 'signin', userId: user.id })
  if (before) afterResponse(c, forget(c, before, user.id))
}

/** Who this browser is signed in as, from the copy where there is one. For reading, never for issuing. */
export async function readSession(c: AppContext): Promise<Session | undefined> {
  const ticket = await readTicket(c)
  if (!ticket) return undefined
  const copy = await readCopy(c.env, ticket.key).catch(() => undefined)
  return copy ?? confirm(c, ticket)
}

/** Who this browser is signed in as, by the object's word: what issues something asks here. */
export async function confirmSession(c: AppContext): Promise<Session | undefined> {
  const ticket = await readTicket(c)
  return ticket && confirm(c, ticket, 'has copy')
}

/** How long a sign-in counts as proof of who is there, for what must not be done by who finds an open laptop. */
const FRESH = 600 // seconds

/** The session, if the person has proven just now who they are; otherwise they are asked to. */
export async function confirmFreshSession(c: AppContext): Promise<Session> {
  const session = await confirmSession(c)
  const isFresh = session && Date.now() / 1000 - session.forcedAt < FRESH
  if (!isFresh) throw new SignInError('sign_in_again')
  return session
}

/** Ends this browser's session: in the object first, so that it has ended whatever comes after. */
export async function endSession(c: AppContext): Promise<void> {
  // Whoever is next at this browser finds nothing of what it has kept of us. Cookies are our services', too.
  c.header('Clear-Site-Data', '"cache"')
  const ticket = await readTicket(c)
  if (!ticket) return
  await askObject(c, ticket.userId, (object) => object.endSession(ticket.key))
  await tolerate(c, 'session_copy_failed', dropCopy(c.env, ticket.key))
  clearCookie(c, 'session')
  note(c, { event: 'signout', userId: ticket.userId })
}

/** Ends all the person's other sessions: what they rested on may be somebody else's. */
export async function endOtherSessions(c: AppContext): Promise<void> {
  const ticket = await readTicket(c)
  if (ticket) await askObject(c, ticket.userId, (object) => object.endOtherSessions(ticket.key))
}

/** Asks the object, and brings the copy into line with its answer. */
async function confirm(
  c: AppContext,
  ticket: Ticket,
  copy?: 'has copy',
): Promise<Session | undefined> {
  const found = await askObject(c, ticket.userId, (object) => object.readSession(ticket.key))
  if (!found) {
    // The cookie stays: this answer may arrive after that of a new sign-in, and would clear its session.
    afterResponse(c, dropCopy(c.env, ticket.key))
    return undefined
  }
  if (!copy || found.renewed) afterResponse(c, writeCopy(c.env, ticket.key, found.session))
  return found.session
}

/** The object decides or nobody does: when it cannot be reached, the person is told to try again. */
export async function askObject<T>(
  c: AppContext,
  userId: string,
  ask: (object: ReturnType<typeof userObject>) => Promise<T>,
): Promise<T> {
  try {
    return await ask(userObject(c.env, userId))
  } catch (cause) {
    note(c, { trouble: String(cause) })
    throw new SignInError('unavailable', { cause })
  }
}

/** What the browser's former session leaves behind, once another has taken its place. */
async function forget(c: AppContext, { userId, key }: Ticket, successor: string): Promise<void> {
  if (userId !== successor) await userObject(c.env, userId).endSession(key)
  await dropCopy(c.env, key)
}

/** Garbage ends here: only a cookie of ours leads to any storage. */
export async function readTicket(c: AppContext): Promise<Ticket | undefined> {
  const [userId, secret] = (await readSealedCookie(c, 'session'))?.split('.') ?? []
  return userId && secret ? { userId, key: await digest(secret) } : undefined
}
