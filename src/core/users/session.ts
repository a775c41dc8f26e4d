import type { PassedSteps } from '../config/passed-steps.ts'
import type { AccountReference } from './account-reference.ts'
import type { Copies } from './directory-rows.ts'
import type { MethodChange } from './method-changes.ts'
import type { AccountSummary, UpstreamAccount } from './upstream-account.ts'
import type { UserRecord } from './user.ts'

/**
 * What is known about how a user signed in, the least first. `unconfirmed`: with an account that
 * somebody else may have added, so that nothing is known. `silent`: the provider may not have
 * asked them anything. `repeated`: the same, but the sign-in was started to confirm that it is them,
 * and the provider cannot be requested to ask. `prompted`: the provider was requested to ask, but
 * does not confirm that it did. `proved`: this service authenticated the user itself, or the
 * provider's `auth_time` says when it did.
 */
export const SIGN_IN_LEVELS = ['unconfirmed', 'silent', 'repeated', 'prompted', 'proved'] as const

export type SignInLevel = (typeof SIGN_IN_LEVELS)[number]

/** A sign-in. Times are in seconds since 1970. */
export interface Authentication {
  /**
   * When the user signed in: the provider's `auth_time` if it is known, otherwise the time of the
   * callback.
   */
  authenticatedAt: number
  /** What is known about that sign-in. */
  level: SignInLevel
  /** How this service authenticated the user (RFC 8176); absent if a provider did. */
  amr?: readonly string[] | undefined
  /** The value of `acr`, if a step has added methods to those of the first factor. */
  acr?: string | undefined
}

/** A signed-in browser, with its last sign-in. */
export interface Session extends Authentication {
  /**
   * Its public id, `ses_…`. The cookie has the session's secret; storage has the secret's digest.
   */
  sid: string
  user: UserRecord
  /** The sign-in before, if the last one is unconfirmed and this one was not. */
  confirmed?: Authentication | undefined
  /** The end of the session if it is not used. */
  idleExpiresAt: number
  /** The end of the session in any case. */
  expiresAt: number
  /** The steps of features that it has passed; absent in a deployment without steps. */
  steps?: PassedSteps
  /**
   * Present while the secret may still turn out not to be sufficient. Such a session is not copied.
   */
  unsettled?: { isBindable: boolean }
  /** Present if the session is bound to its browser, and the request has proved it. */
  isBound?: true
  /**
   * The account it was opened with, present only if the deployment's claims depend on it; null if
   * nothing is stored about it any more.
   */
  account?: AccountSummary | null
}

/**
 * The last sign-in that is not unconfirmed: the one that apps are told about. A session that an
 * unconfirmed account has opened has none.
 */
export function confirmedSignIn(
  session: Authentication & Pick<Session, 'confirmed'>,
): Authentication | undefined {
  if (session.level === 'unconfirmed') return session.confirmed
  const { authenticatedAt, level, amr, acr } = session
  return { authenticatedAt, level, ...(amr && { amr }), ...(acr && { acr }) }
}

/** A session as the user's object has it. */
export interface FoundSession {
  session: Session
  /** Whether it has just been extended. */
  isRenewed: boolean
  /** The key of the account of the last sign-in, which {@link Session.level} is about. */
  method: string | undefined
}

/** The same as one object. */
export interface AuthoritativeSession extends Session, Pick<FoundSession, 'method'> {}

/** A session that has just been opened. */
export interface OpenedSession extends Session {
  /** Whether a step is missing, so that the session does not count yet. */
  isPending?: boolean
  /** When the user's ways to sign in were last changed elsewhere, if that was recently. */
  methodsChangedAt?: number
}

/** The data of a new session. */
export interface SessionOpening {
  /** The digest of the session's secret, under which it is stored. */
  secretDigest: string
  sid: string
  /** A digest of the attempt, which opens at most one session. */
  attempt: string
  user: UserRecord
  /** When the directory found the user's account, by the directory's clock. */
  claimedAt: number
  level: SignInLevel
  /** The provider's `auth_time`, if it is known. */
  authenticatedAt?: number | undefined
  /** How this service authenticated the user itself. */
  amr?: readonly string[] | undefined
  /**
   * Whether the user confirmed that they are present, instead of signing in. The session then
   * continues with the account that the replaced session was opened with.
   */
  isConfirmation?: boolean
  /** The key of the user's former session in this browser. */
  replaces?: string
  /** Browser and location, by which the user recognises the session. */
  device?: string | undefined
  place?: string | undefined
  /** The way to sign in that this sign-in has added to the user, by email. */
  addedMethod?: Pick<MethodChange, 'provider' | 'label'> | undefined
  /** The key of the account that was used to sign in. */
  account?: string | undefined
  upstream?: UpstreamAccount | undefined
  /** What features get to know about the user. */
  featureData?: FeatureData | undefined
  /** Whether the result includes the account. */
  includesAccount?: boolean
  /** The steps that are not asked of this sign-in. Without all of them the session is pending. */
  steps?: PassedSteps
  /** Whether the user has had a session in this browser, if a step is missing. */
  isKnownBrowser?: boolean | undefined
  /** What is needed when the last step has passed. */
  continuation?: SignInContinuation | undefined
}

/** What features get to know about a user who signs in. */
export interface FeatureData {
  copies: Copies
  /** What each has determined, as JSON, by its id. */
  determined: Readonly<Record<string, string>>
}

/** What is known about a sign-in until its last step has passed. */
export interface SignInContinuation {
  account: AccountReference
  isNewUser: boolean
  /** Whether the user has another way to sign in that they have not confirmed. */
  hasUnconfirmed: boolean
}

/** A session of which a step may be missing, for the page of the step. */
export interface StepSession extends FoundSession {
  isPending: boolean
  /** Whether the sign-in that waits for the step has created the user. */
  isNewUser: boolean
}

/** What a user has proved in a step. */
export interface StepProof {
  /** Added to the methods of the session (RFC 8176). */
  amr?: readonly string[] | undefined
  /** The level of the session from then on, unless its account is unconfirmed. */
  level?: 'proved' | undefined
}

/** Steps that a session has passed. */
export interface PassedStep extends StepProof {
  /** With those that are not asked. */
  steps: PassedSteps
  /** The digest of the secret that replaces the session's. */
  newSecretDigest: string
  /** The key of the user's former session in this browser. */
  replaces?: string | undefined
  includesAccount?: boolean
}

/** A session after a step. */
export interface StepResult {
  session: OpenedSession
  /** What was kept of the sign-in, if this was its last step. */
  continuation: SignInContinuation | undefined
  /** When the session has last changed the user's ways to sign in, if it counts and has. */
  ownChangeAt?: number | undefined
}

/** What binds a session to its browser, in the words of the feature that does it. */
export interface SessionBinding {
  /** A random text, which requests of the browser show to be theirs. */
  proof: string
  /** JSON of the feature. */
  data: string
}

/** A session as its user sees it. */
export interface SessionSummary {
  sid: string
  /** Present if it is only valid in its browser. */
  isBound?: true
  device: string | undefined
  place: string | undefined
  /** The id of the provider that the user signed in with. */
  provider: string | undefined
  authenticatedAt: number
  lastUsedAt: number
}
