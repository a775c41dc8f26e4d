// The lifetimes of everything we issue, in seconds. Those in DEFAULT_LIFETIMES are options.

/** How long a user may take to sign in at a provider: time to find a phone and a password. */
export const ATTEMPT_LIFETIME = 600 // seconds

/** How long a sign-in waits for what features ask of the user: as long as for a provider. */
export const PENDING_LIFETIME = 600 // seconds

/**
 * For how long a new session can be bound to its browser, if a feature does that: longer than a
 * browser takes to create a key. The session has no copy until then, and its secret alone is
 * sufficient, because the next requests can be faster than the binding.
 */
export const BINDING_WINDOW = 120 // seconds

/** FAPI 2.0 §5.3.2.1: clients redeem a code immediately. */
export const CODE_LIFETIME = 60 // seconds

/** A refresh token expires if it is not used for this long. */
export const REFRESH_IDLE_LIFETIME = 30 * 24 * 3600 // seconds

/** After this time the user must sign in again, however often the refresh token was used. */
export const REFRESH_ABSOLUTE_LIFETIME = 365 * 24 * 3600 // seconds

/**
 * Concurrent refreshes, and clients that lost a response, receive the same successor for this long.
 */
export const REFRESH_GRACE_PERIOD = 20 // seconds

/** Long enough for a client to read it; it is not a session. */
export const ID_TOKEN_LIFETIME = 3600 // seconds

/** A logout token is delivered immediately or signed again. */
export const LOGOUT_TOKEN_LIFETIME = 120 // seconds

/** The lifetimes that a deployment can choose, in seconds. */
export interface Lifetimes {
  /** A session ends if it is not used for this long. */
  sessionIdle: number
  /** A session ends after this time, however often it is used. */
  sessionAbsolute: number
  /** An API that verifies session tokens offline may accept an ended session for this long. */
  sessionToken: number
  /** A grant without a refresh token is kept for as long as its access token is valid. */
  accessToken: number
  /** How old the copy of a session may be that a session token is issued from; 0 for never. */
  trustCopyFor: number
}

export const DEFAULT_LIFETIMES: Lifetimes = {
  sessionIdle: 7 * 24 * 3600,
  sessionAbsolute: 30 * 24 * 3600,
  sessionToken: 300,
  accessToken: 600,
  trustCopyFor: 0,
}

/** A session in use is extended at most once a day, because every write has a price. */
const MAX_RENEWAL_INTERVAL = 24 * 3600 // seconds

/** How long after its last extension a session in use is extended again. */
export function renewalInterval({ sessionIdle }: Lifetimes): number {
  return Math.min(MAX_RENEWAL_INTERVAL, Math.floor(sessionIdle / 7))
}

/** A copy of a session that could not be deleted is used no longer than this. */
const MAX_COPY_LIFETIME = 3600 // seconds

/**
 * How long a copy of a session is used for display. Reading a copy extends no session, so a session
 * with a short idle lifetime must reach the user's object more often.
 */
export function copyLifetime(lifetimes: Lifetimes): number {
  return Math.min(MAX_COPY_LIFETIME, renewalInterval(lifetimes))
}
