/** What one client may do for one person. The terms are what the person agreed to. */
export interface GrantTerms {
  clientId: string
  redirectUri: string
  scope: readonly string[]
  /** The APIs its access tokens are for; empty means the service's own userinfo alone. */
  resources: readonly string[]
  /** Claims that were asked for one by one. */
  claims: { userinfo: readonly string[]; id_token: readonly string[] }
  nonce: string | undefined
  codeChallenge: string | undefined
  /** The account that the session was opened with, at its platform. */
  account: string | undefined
  /** The session it was given in. */
  sid: string
  authenticatedAt: number
}

/** FAPI 2.0 §5.3.2.1: the shortest time in which honest clients come back. */
export const CODE_LIFETIME = 60 // seconds

/** A refresh token that is not used for a month is forgotten … */
export const REFRESH_IDLE_LIFETIME = 30 * 24 * 3600
/** … and after a year the person signs in again, however often it was used. */
export const REFRESH_ABSOLUTE_LIFETIME = 365 * 24 * 3600

/** In which callers that refresh at the same time, or never got the answer, get the same answer again. */
export const REFRESH_GRACE = 20 // seconds

/** Access tokens of a grant live no longer; until then the grant can be asked for. */
export const ACCESS_LIFETIME = 600 // seconds
