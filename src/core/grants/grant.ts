import type { PassedSteps } from '../config/passed-steps.ts'
import type { OptionalScope } from './consents.ts'

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
  /** How long its access tokens can be valid, in seconds. */
  accessTokenLifetime: number
  /** Claims that were requested individually. */
  claims: { userinfo: readonly string[]; id_token: readonly string[] }
  nonce: string | undefined
  codeChallenge: string | undefined
  /** The thumbprint of the key that must be proved to redeem the code. */
  codeKey?: string | undefined
  /** The thumbprint of the key that must be proved to use the refresh token. */
  refreshKey?: string | undefined
  /** The account the session was opened with. */
  account: string | undefined
  /** The session the grant belongs to. */
  sid: string
  /** When the user signed in; absent if only an unconfirmed account was used. */
  authenticatedAt?: number | undefined
  /** How this service authenticated the user (RFC 8176); absent if a provider did. */
  amr?: readonly string[] | undefined
  /** The value of `acr`, if a step has added methods. */
  acr?: string | undefined
  /** The steps that the session had passed; absent in a deployment without steps. */
  steps?: PassedSteps | undefined
}

/** The terms without the scopes that the user has declined, and without their claims. */
export function withoutDeclined<Terms extends Pick<GrantTerms, 'scope' | 'claims'>>(
  terms: Terms,
  declined: readonly OptionalScope[],
): Terms {
  const names = declined.map(({ name }) => name)
  const claims = declined.flatMap((scope) => scope.claims)
  const isKept = (claim: string) => !claims.includes(claim)
  return {
    ...terms,
    scope: terms.scope.filter((name) => !names.includes(name)),
    claims: {
      userinfo: terms.claims.userinfo.filter(isKept),
      id_token: terms.claims.id_token.filter(isKept),
    },
  }
}
