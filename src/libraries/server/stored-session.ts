/** The claims of the ID token, without those that were for its verification. */
export interface SessionClaims {
  sub: string
  /** The session at the login service. */
  sid: string
  iat: number
  auth_time?: number
  acr?: string
  amr?: string[]
  /** Absent if the login service has none. */
  roles?: string[]
}

/** A private key. */
export interface StoredKey {
  x: string
  y: string
  d: string
}

/** What the cookie of a session contains. Times are in milliseconds, like `Date.now()`. */
export interface StoredSession {
  claims: SessionClaims
  /** The grant at the login service, which can end before the session. */
  grantId: string
  /** Absent if the user has declined `offline_access`. The session then ends with the token. */
  refreshToken?: string | undefined
  accessToken: string
  /** What the access token is bound to, if it is. */
  key?: StoredKey | undefined
  /** How long access tokens are valid. */
  lifetime: number
  /** When the tokens were requested, which confirmed that the session was valid. */
  confirmedAt: number
}

/** Whether the access token has expired. Until then, the session needs no new confirmation. */
export function isExpired({ confirmedAt, lifetime }: StoredSession): boolean {
  // A time in the future was written by an instance with a wrong clock.
  return Math.abs(Date.now() - confirmedAt) >= lifetime
}
