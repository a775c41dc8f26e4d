import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { ResponseDestination } from './authorization-error.ts'
import type { ConsentPart } from './consent-part.ts'

/** A valid authorization request. */
export interface AuthorizationRequest {
  client: Client
  destination: ResponseDestination
  scope: readonly string[]
  resources: readonly string[]
  /** Those of the resources that are registered. */
  apis: readonly Api[]
  claims: { userinfo: readonly string[]; id_token: readonly string[] }
  nonce: string | undefined
  codeChallenge: string | undefined
  /** The thumbprint of the key without which the code cannot be redeemed (RFC 9449 §10). */
  keyThumbprint?: string | undefined
  prompt: readonly string[]
  maxAge: number | undefined
  acr: RequestedAcr | undefined
  idTokenHint: string | undefined
  /** The user the client requires, from the `claims` parameter. */
  subject: string | undefined
  provider: string | undefined
  uiLocales: string | undefined
  /** How a feature answers a request that it has read, instead of by a redirect with a code. */
  answer?: RequestAnswer | undefined
  /**
   * Uses up a request that the client has pushed, before it gets the code. Throws if that has happened
   * before, perhaps in another browser.
   */
  useUp?: ((c: AppContext) => Promise<void>) | undefined
}

/** The values of `acr` that a client accepts. */
export interface RequestedAcr {
  values: readonly string[]
  /** Whether a user who was authenticated in another way must be rejected. */
  isEssential: boolean
}

/** How a feature answers an authorization request. */
export interface RequestAnswer {
  /** The digest of the secret that redeems the grant. */
  secretDigest: string
  /** The interaction shows the app on the next page. */
  respond(
    c: AppContext,
    decision: RequestDecision,
    interaction: { id: string } | undefined,
  ): Promise<Response>
  /** What the consent page says about the request, instead of where the user returns to. */
  consentPart(c: AppContext, messages: Messages): ConsentPart
}

/** The user's decision. If they approve, the grant waits in their object. */
export type RequestDecision =
  | { kind: 'denied' }
  | { kind: 'approved'; userId: string; grantId: string }
