import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { AppContext } from '../http/app-env.ts'
import { accountKey } from '../users/account-reference.ts'
import type { AdditionMarks } from '../users/directory.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import type { AuthoritativeSession, Session } from '../users/session.ts'
import { isAtLeast, strongestAccounts } from '../users/sign-in-levels.ts'
import { confirmedAccounts, marksOfAddition } from '../users/unconfirmed-accounts.ts'
import { authoritativeSession } from './read-session.ts'

/** How long a sign-in counts as proof that the user is present, for changes to the account. */
const RECENT_SIGN_IN = 600 // seconds

/** The last sign-in of a session. */
type SignIn = Pick<AuthoritativeSession, 'user' | 'level' | 'method'>

/** The session of a user who may change their account. */
interface RecentSession extends AuthoritativeSession {
  /** For an account that the user adds now. */
  marks: AdditionMarks
}

/**
 * The session of a user who has signed in recently, with as much proof as they can give; others are
 * asked to sign in again, and continue at this path.
 */
export async function requireRecentSession(
  c: AppContext,
  continueAt?: string,
): Promise<RecentSession> {
  const session = await recentSession(c)
  if (!session) throw new SignInError('sign_in_again', { continueAt })
  return session
}

/** The session of a user who has signed in recently, with as much proof as they can give. */
export async function recentSession(c: AppContext): Promise<RecentSession | undefined> {
  const session = await authoritativeSession(c)
  if (!session || !isNew(session)) return undefined
  const { isSufficient, accounts } = await judgeSignIn(c, session)
  if (!isSufficient) return undefined
  return { ...session, marks: marksOfAddition(c.get('config'), accounts, session) }
}

/** Whether the user has signed in recently, with as much proof as they can give. */
export async function isRecent(c: AppContext, session: AuthoritativeSession): Promise<boolean> {
  return isNew(session) && (await judgeSignIn(c, session)).isSufficient
}

/**
 * Whether the sign-in is proved, or the user has no account that can prove one. An unconfirmed
 * account proves nothing.
 */
export async function isProvedIfPossible(c: AppContext, session: SignIn): Promise<boolean> {
  const { isConfirmed, highestLevel } = await judgeSignIn(c, session)
  return isConfirmed && (session.level === 'proved' || highestLevel !== 'proved')
}

function isNew(session: AuthoritativeSession): boolean {
  return isAtLeast(session.level, 'repeated') && hasSignedInRecently(session)
}

/** Whether the user has signed in recently, but the provider may not have asked them anything. */
export function hasSignedInSilently(session: Session): boolean {
  return session.level === 'silent' && hasSignedInRecently(session)
}

function hasSignedInRecently({ authenticatedAt }: Session): boolean {
  return nowInSeconds() - authenticatedAt < RECENT_SIGN_IN
}

/** What the last sign-in of a session is worth, by the accounts that the user has. */
async function judgeSignIn(c: AppContext, session: SignIn) {
  const config = c.get('config')
  const accounts = await listAccounts(c.env, session.user.id)
  const highestLevel = strongestAccounts(config, accounts).level
  // The account may have been removed, although the session could not be ended.
  const isConfirmed =
    session.level !== 'unconfirmed' &&
    confirmedAccounts(config, accounts).some((account) => accountKey(account) === session.method)
  return {
    accounts,
    highestLevel,
    isConfirmed,
    isSufficient: isConfirmed && isAtLeast(session.level, highestLevel),
  }
}
