import { CLOCK_HINT } from '../../foundation/errors/failure-detail.ts'
import { type NamedUser, SignInError } from '../../foundation/errors/sign-in-error.ts'
import { announceToUser } from '../account/announce-change.ts'
import { recordIdentified, type SignInOrigin } from '../audit/user-events.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { afterResponse, emitEvent } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { countSignIn } from '../metrics/count.ts'
import type { IdentifiedUser } from '../upstream/identify-user.ts'
import type { SignInMethod } from '../upstream/sign-in-methods.ts'
import { invalidResponse } from '../upstream/upstream-error.ts'
import { type AccountReference, accountKey, toEventAccount } from '../users/account-reference.ts'
import {
  type ClaimedUser,
  findOwner,
  findUserByAccount,
  readUserOfAccount,
  recordSignIn,
} from '../users/directory.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import { toStoredProfile } from '../users/profile.ts'
import type { SessionOpening } from '../users/session.ts'
import { unconfirmedAccounts } from '../users/unconfirmed-accounts.ts'
import type { UserRecord } from '../users/user.ts'
import type { Attempt } from './attempt.ts'
import { type IdentifiedAccount, toUpstreamAccount } from './identified-account.ts'
import { readFeatureData, requireAllowed } from './require-allowed.ts'

/** Tolerance for differences between the provider's clock and ours. */
const CLOCK_SKEW = 60 // seconds

interface Admission {
  attempt: Attempt
  origin: SignInOrigin
  /** Whether more than a step of the deployment may be missing once the user is admitted. */
  isConditional?: boolean
  /** The user of the session that the sign-in must not replace, if there is one. */
  readCurrent(): Promise<UserRecord | undefined>
}

/** A user whose sign-in is recorded, and the session that can be opened for it. */
export interface AdmittedUser {
  user: UserRecord
  reference: AccountReference
  isNewUser: boolean
  /** Whether the sign-in was recorded as one that has succeeded. */
  isRecorded: boolean
  /** Whether the user has another way to sign in that they have not confirmed. */
  hasUnconfirmed: boolean
  opening: Pick<
    SessionOpening,
    | 'claimedAt'
    | 'level'
    | 'authenticatedAt'
    | 'amr'
    | 'upstream'
    | 'account'
    | 'addedMethod'
    | 'featureData'
  >
}

/**
 * Decides whether an identified user may sign in, in a browser or in an app, and records it, unless
 * only the caller can know whether the session counts. The deployment may send the user elsewhere
 * instead.
 */
export async function admitUser(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedAccount,
  { attempt, origin, isConditional = false, readCurrent }: Admission,
): Promise<AdmittedUser | { elsewhere: string }> {
  const { elsewhere, userId } = await requireAllowed(c, provider, identified, { origin, attempt })
  if (elsewhere !== undefined) return { elsewhere }
  // Before anything is recorded, because a callback of the deployment may fail.
  const upstream = await toUpstreamAccount(c, provider, identified)
  const determined = await readFeatureData(c, identified)
  const current = await readCurrent()
  if (current) await rejectOtherUser(c, provider, { identified, current })
  const isRecordedLater = isConditional || Object.keys(c.get('config').steps).length > 0
  const claimed = await findOrRecordUser(c, identified, { origin, isRecordedLater })
  const { user, claimedAt, isNewUser, isNewMethod = false, hasUnconfirmed } = claimed
  // The account may belong to another user than before, or its user may have been deleted.
  const expectedIds = [current?.id, userId].filter((id) => id !== undefined)
  if (expectedIds.some((id) => id !== user.id)) throw new SignInError('attempt_missing')
  const { reference } = identified
  if (isNewUser) {
    emitEvent(c, 'createUser', { user: { ...user }, account: toEventAccount(reference) })
  }
  const authenticatedAt = authenticationTime(provider, attempt, identified)
  const isUnconfirmed = claimed.isMarked && (await isUnconfirmedAccount(c, user, reference))
  const level = authenticatedAt === undefined ? attempt.level : 'proved'
  return {
    user,
    reference,
    isNewUser,
    isRecorded: !isRecordedLater,
    hasUnconfirmed,
    opening: {
      claimedAt,
      level: isUnconfirmed ? 'unconfirmed' : level,
      authenticatedAt,
      amr: identified.amr,
      upstream,
      account: accountKey(reference),
      addedMethod: isNewMethod ? { provider: provider.id, label: identified.label } : undefined,
      // What features determine is what apps are told, such as roles.
      featureData: { copies: claimed.copies, determined: isUnconfirmed ? {} : determined },
    },
  }
}

async function isUnconfirmedAccount(
  c: AppContext,
  { id }: UserRecord,
  reference: AccountReference,
): Promise<boolean> {
  const accounts = unconfirmedAccounts(c.get('config'), await listAccounts(c.env, id))
  return accounts.some((account) => accountKey(account) === accountKey(reference))
}

/** Informs the user of a way to sign in that this sign-in has added. */
export async function announceAddedMethod(
  c: AppContext,
  { user, opening: { addedMethod } }: AdmittedUser,
): Promise<void> {
  if (addedMethod) await announceToUser(c, user, { kind: 'added', ...addedMethod })
}

interface IdentifiedSignIn extends Pick<AdmittedUser, 'user' | 'reference' | 'isNewUser'> {
  origin: SignInOrigin
}

/** Reports a sign-in that has opened a session which counts. */
export function reportSignIn(
  c: AppContext,
  { isRecorded, ...signIn }: IdentifiedSignIn & Pick<AdmittedUser, 'isRecorded'>,
): void {
  const { user, reference, isNewUser } = signIn
  emitEvent(c, 'signIn', { user: { ...user }, account: toEventAccount(reference), isNewUser })
  countSignIn('succeeded')
  if (!isRecorded) recordLater(c, 'sign_in', signIn)
}

/** Records a sign-in after which something of the user is missing, such as a second factor. */
export function reportPendingSignIn(c: AppContext, signIn: IdentifiedSignIn): void {
  recordLater(c, 'sign_in_pending', signIn)
}

/** Reports a sign-in that was pending, and has now opened a session which counts. */
export function reportContinuedSignIn(c: AppContext, signIn: IdentifiedSignIn): void {
  reportSignIn(c, { ...signIn, isRecorded: true })
  // The user was recorded as a new one when they became one.
  recordLater(c, 'sign_in', { ...signIn, isNewUser: false })
}

/** Records a sign-in after the response: whether its session counts is known only now. */
function recordLater(
  c: AppContext,
  event: 'sign_in' | 'sign_in_pending',
  { user, reference: { provider }, isNewUser, origin }: IdentifiedSignIn,
): void {
  const signIn = { event, userId: user.id, provider, isNewUser, origin }
  afterResponse(c, recordIdentified(c.env, c.get('config'), signIn))
}

/**
 * The provider's `auth_time`, if it is known. If the provider was requested to authenticate the
 * user again and supports `auth_time`, it must prove that it did.
 */
function authenticationTime(
  { sendsAuthTime }: SignInMethod,
  { level, expiresAt }: Attempt,
  { authenticatedAt }: IdentifiedUser,
): number | undefined {
  if (level !== 'prompted' || !sendsAuthTime) return authenticatedAt
  const startedAt = expiresAt - ATTEMPT_LIFETIME
  const problem = 'The provider did not authenticate the user again'
  if (authenticatedAt === undefined) throw invalidResponse(`${problem}.`)
  if (authenticatedAt < startedAt - CLOCK_SKEW) {
    throw invalidResponse(`${problem}, or ${CLOCK_HINT} is slow.`)
  }
  // If the provider's clock is slow, the sign-in must not look older than the request for it.
  return Math.max(authenticatedAt, startedAt)
}

/** Records the user. Without a profile, only a user we already have can sign in. */
async function findOrRecordUser(
  c: AppContext,
  { account, reference, owner }: IdentifiedAccount,
  recording: { origin: SignInOrigin; isRecordedLater: boolean },
): Promise<ClaimedUser> {
  const config = c.get('config')
  const result = account
    ? await recordSignIn(c.env, config, { account, ...recording })
    : await findUserByAccount(c.env, config, { account: reference, ...recording })
  // An account that was created here has been removed since the user was identified.
  if (!result) throw new SignInError(owner ? 'attempt_missing' : 'provider_unavailable')
  if (result.kind === 'blocked') {
    countSignIn('failed')
    throw new SignInError('user_blocked')
  }
  return result
}

/**
 * Rejects an account of another user than the signed-in one, or of nobody. This precedes the record
 * of the sign-in, which may create a user or link the account by its email address.
 */
async function rejectOtherUser(
  c: AppContext,
  provider: SignInMethod,
  { identified, current }: { identified: IdentifiedAccount; current: UserRecord },
): Promise<void> {
  const { account, reference } = identified
  if (account) {
    const ownerId = await findOwner(c.env, c.get('config'), account)
    if (ownerId === current.id) return
    throw alreadySignedIn(current, toStoredProfile(account.user), provider)
  }
  // Without a profile, only a user whom we already have can sign in.
  const owner = identified.owner ?? (await readUserOfAccount(c.env, reference))?.user
  if (owner && owner.id !== current.id) throw alreadySignedIn(current, owner, provider)
}

function alreadySignedIn(
  current: NamedUser,
  other: NamedUser,
  { name: provider }: SignInMethod,
): SignInError {
  return new SignInError('already_signed_in', { users: { current, other: { ...other, provider } } })
}
