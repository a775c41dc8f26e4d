import type { Feature } from '../feature.ts'
import { needsFeature } from '../values/problem.ts'

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

/** What registrations that require bound tokens or pushed requests lack without the feature. */
export const NEEDS_SENDER_CONSTRAINED = needsFeature('senderConstrained()')

/** Whether a feature of the deployment binds tokens to keys of their clients. */
export function canBindTokens({ features }: { features: readonly Feature[] }): boolean {
  return features.some(({ proveKey }) => proveKey)
}
