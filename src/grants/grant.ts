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
  /** How long its access tokens can be valid, in seconds; absent if that is the usual lifetime. */
  accessTokenLifetime?: number | undefined
  /** Claims that were requested individually. */
  claims: { userinfo: readonly string[]; id_token: readonly string[] }
  nonce: string | undefined
  codeChallenge: string | undefined
  /** The account the session was opened with. */
  account: string | undefined
  /** The session the grant belongs to. */
  sid: string
  authenticatedAt: number
  /** How this service authenticated the user (RFC 8176); absent if a provider did. */
  amr?: readonly string[] | undefined
}
