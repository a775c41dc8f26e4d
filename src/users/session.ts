import type { UpstreamAccount } from './upstream-account.ts'
import type { UserRecord } from './user.ts'

/** A signed-in browser. Times are in seconds since 1970. */
export interface Session {
  /** Its public id, `ses_…`. The cookie has the session's secret; storage has the secret's digest. */
  sid: string
  user: UserRecord
  authenticatedAt: number
  /** When the provider was last requested to prompt the user again; 0 if it may have signed them in silently. */
  promptedAt: number
  /** The end of the session if it is not used. */
  idleExpiresAt: number
  /** The end of the session in any case. */
  expiresAt: number
}

/** A session ends after this time, however often it is used. */
export const ABSOLUTE_LIFETIME = 30 * 24 * 3600 // seconds

/** A session ends if it is not used for this long. */
export const IDLE_LIFETIME = 7 * 24 * 3600 // seconds

/** The data of a new session. Keys are digests of secrets. */
export interface SessionOpening {
  key: string
  sid: string
  /** A digest of the attempt, which opens at most one session. */
  attempt: string
  user: UserRecord
  /** Whether the provider was requested to prompt the user again. */
  isPrompted: boolean
  /** The key of the user's former session in this browser. */
  replaces?: string
  /** Browser and location, by which the user recognises the session. */
  device?: string | null
  place?: string | null
  /** The key of the account that was used to sign in. */
  account?: string | undefined
  upstream?: UpstreamAccount | undefined
}

/** A session as its user sees it. */
export interface SessionSummary {
  sid: string
  device: string | undefined
  place: string | undefined
  authenticatedAt: number
  lastUsedAt: number
}
