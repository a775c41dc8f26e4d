/** A key that the sender of a request has proved to have. */
export interface ProvenKey {
  /** Its thumbprint (RFC 7638). */
  thumbprint: string
  /** The proof, which must be used only once until it expires, in seconds since 1970. */
  proof: { id: string; expiresAt: number }
  /** Whether refresh tokens are bound to the key, too: those of a client without credentials are. */
  bindsRefreshTokens: boolean
  /** Whether a refresh token is replaced when it is used. */
  rotatesRefreshTokens: boolean
}
