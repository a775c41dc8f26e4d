import type { AppContext } from '../config/app-env.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import type { Session, SignInLevel } from '../users/session.ts'
import { isAtLeast, strongestAccounts } from '../users/sign-in-levels.ts'
import { nowInSeconds } from '../values/clock.ts'
import { authoritativeSession } from './read-session.ts'

/** How long a sign-in counts as proof that the user is present, for changes to the account. */
const RECENT_SIGN_IN = 600 // seconds

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
  return session.level === 'proved' || isAtLeast(session.level, await highestLevel(c, session))
}

/** Whether the sign-in is proved, or the user has no account that can prove one. */
export async function isProvedIfPossible(c: AppContext, session: Session): Promise<boolean> {
  return session.level === 'proved' || (await highestLevel(c, session)) !== 'proved'
}

/** The highest level that a sign-in of the user can have. */
async function highestLevel(c: AppContext, { user }: Session): Promise<SignInLevel> {
  const accounts = await listAccounts(c.env, user.id)
  return strongestAccounts(c.get('config'), accounts).level
}
