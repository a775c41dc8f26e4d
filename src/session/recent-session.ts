import type { AppContext } from '../config/app-env.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { listAccounts } from '../users/directory.ts'
import { provingAccounts } from '../users/proving-accounts.ts'
import type { Session } from '../users/session.ts'
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
