import { randomSecret } from '../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import type { AppContext } from '../http/app-env.ts'
import { clearCookie, listFlowCookies, readSealedCookie, setFlowCookie } from '../http/cookies.ts'
import { addToLog } from '../http/request-log.ts'
import type { SignInLevel } from '../users/session.ts'

/**
 * The number of tabs in which a user may sign in at the same time, and the size of their cookies.
 * Beyond it the oldest attempt is dropped.
 */
const LIMITS = { count: 5, size: 7 * 1024 }

/** The part of the state that names the cookie. The remaining 190 bits are still secret. */
const COOKIE_SUFFIX_LENGTH = 11 // characters

/** One browser's trip to a provider and back. It is stored only in its own sealed cookie. */
export interface Attempt {
  /** The requestId of the request that started the attempt; the log shows it in every step. */
  correlationId: string
  provider: string
  state: string
  codeVerifier: string
  /** Empty if the provider receives none. */
  nonce: string
  /** The interaction for which the user signs in; for passkeys, the form says it instead. */
  interactionId?: string | undefined
  /** The user asked to choose an account, so another user may replace the current session. */
  mayReplaceSession: boolean
  /** Why a signed-in user was sent to the provider, if a page of ours asked them. */
  prompt?: 'login' | 'consent' | 'select_account' | undefined
  /** The level of the sign-in, unless the provider proves it. */
  level: Exclude<SignInLevel, 'unconfirmed' | 'proved'>
  /** The user the account will be linked to; absent for a sign-in. */
  linkTo?: string | undefined
  /** The user started it on a page of ours. Known only if the app is a native one of our own. */
  isPressed?: boolean
  /** What a local method, or a feature, needs to finish the attempt. */
  local?: Record<string, string>
  /** The secret of the session, if a request that is sent again gets the same session. */
  sessionSecret?: string
  expiresAt: number
}

type AttemptContent = Omit<Attempt, 'correlationId' | 'codeVerifier' | 'expiresAt'>

/** Creates an attempt that is finished in the same request. */
export function createAttempt(c: AppContext, content: AttemptContent): Attempt {
  const attempt: Attempt = {
    correlationId: c.get('requestId'),
    ...content,
    codeVerifier: randomSecret(),
    expiresAt: nowInSeconds() + ATTEMPT_LIFETIME,
  }
  addToLog(c, { attempt: attempt.correlationId })
  return attempt
}

/** Starts an attempt and stores it in the browser. */
export async function beginAttempt(c: AppContext, content: AttemptContent): Promise<Attempt> {
  const attempt = createAttempt(c, content)
  await keepAttempt(c, attempt, ATTEMPT_LIFETIME)
  return attempt
}

/** Stores an attempt in the browser for so many seconds. */
export async function keepAttempt(c: AppContext, attempt: Attempt, maxAge: number): Promise<void> {
  await setFlowCookie(c, {
    kind: 'attempt',
    id: cookieSuffix(attempt),
    value: JSON.stringify(attempt),
    maxAge,
    limits: LIMITS,
  })
}

/**
 * Returns the attempt with this state and removes it from the browser, so that it is used at most
 * once.
 */
export async function takeAttempt(
  c: AppContext,
  provider: string,
  state: string | undefined,
): Promise<Attempt | undefined> {
  const suffix = cookieSuffix({ state: state ?? '' })
  const attempt = await readAttempt(c, provider, suffix)
  // One that is not ours may belong to another deployment on the same host, which cookies share.
  if (attempt) clearCookie(c, cookieName(suffix))
  return attempt?.state === state ? attempt : undefined
}

/**
 * Returns the newest attempts of this provider, without removing them. No more are opened than a
 * browser has, however many cookies it sends.
 */
export async function readAttempts(c: AppContext, provider: string): Promise<Attempt[]> {
  const newest = listFlowCookies(c, 'attempt').slice(-LIMITS.count)
  const attempts = await Promise.all(newest.map(({ id }) => readAttempt(c, provider, id)))
  return attempts.filter((attempt) => attempt !== undefined)
}

/** Returns an attempt of this provider that has not expired, without removing it. */
export async function readAttempt(
  c: AppContext,
  provider: string,
  suffix: string,
): Promise<Attempt | undefined> {
  const opened = await readSealedCookie(c, cookieName(suffix))
  if (opened === undefined) return undefined
  // We sealed it, so its content can be trusted.
  const attempt: Attempt = JSON.parse(opened)
  if (attempt.provider !== provider) return undefined
  // All attempts are sealed for the same purpose, so the content must match the cookie's name.
  if (cookieSuffix(attempt) !== suffix) return undefined
  addToLog(c, { attempt: attempt.correlationId })
  return attempt.expiresAt > nowInSeconds() ? attempt : undefined
}

/** Identifies an attempt's cookie among those of the browser. */
export function cookieSuffix({ state }: Pick<Attempt, 'state'>): string {
  return state.slice(0, COOKIE_SUFFIX_LENGTH)
}

function cookieName(suffix: string) {
  return `attempt.${suffix}` as const
}
