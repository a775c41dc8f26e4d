/**
 * What a client may do for a user: the scope and resources they agreed to, and the context of the
 * request.
 */
export interface GrantTerms {
  clientId: string
  redirectUri: string
  scope: readonly string[]
  /** The APIs its access tokens are for. If empty, they are for our own userinfo endpoint. */
  resources: readonly string[]
  /** Claims that were requested individually. */
  claims: { userinfo: readonly string[]; id_token: readonly string[] }
  nonce: string | undefined
  codeChallenge: string | undefined
  /** The account the session was opened with. */
  account: string | undefined
  /** The session the grant belongs to. */
  sid: string
  authenticatedAt: number
}

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

/** A grant without a refresh token is kept for as long as its access token is valid. */
export const ACCESS_TOKEN_LIFETIME = 600 // seconds
