import type { JWTPayload } from 'jose'
import type { ClaimsCallbackInput } from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { ProvenKey } from '../registration-schemas/bound-tokens.ts'
import type { AuthenticatedClient, Client } from '../registration-schemas/clients.ts'
import type { PresentedToken } from '../tokens/presented-token.ts'
import type { UserRecord } from '../users/user.ts'
import type { AuthorizationError } from './authorization-error.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { ConsentDecision, ConsentPart, ConsentRequest } from './consent-part.ts'
import type { GrantType } from './grant-type.ts'

/** Binds tokens to keys of their clients. */
export interface BoundTokens {
  /**
   * The key that the sender of a token request has proved to have, to which the tokens are bound;
   * undefined if there is no proof. Throws if it is invalid, or missing and required.
   */
  proveKey(c: AppContext, client: AuthenticatedClient): Promise<ProvenKey | undefined>
  /**
   * Called for a token request that was accepted, before the tokens are sent. Throws if the proof was
   * used before.
   */
  useProof(c: AppContext, proof: { key: ProvenKey; grantType: string }): Promise<void>
  /** Throws if the client may not have such tokens, or tokens without a key, for these APIs. */
  requireAllowed(client: AuthenticatedClient, apis: readonly Api[]): void
  /** Throws the error of a proof that the user's object has seen before. */
  rejectReplay(): never
  /**
   * Throws unless the sender of a request to one of our own APIs has proved to have the key that the
   * access token is bound to. Not called for a token of the scheme Bearer that is not bound.
   */
  verifyPossession(c: AppContext, token: PresentedToken & { claims: JWTPayload }): Promise<void>
}

/** What claims are added to. */
export interface IssuedClaims extends Omit<ClaimsCallbackInput, 'fetch'> {
  apis: readonly Api[]
}

/** A token that is introspected. */
export interface IntrospectedClaims {
  kind: 'introspection'
  user: UserRecord
  client: Client
  /** Those of the token; absent for a refresh token, which has none. */
  issued?: JWTPayload
}

declare module '../config/feature.ts' {
  interface Feature {
    /** Its fields of the discovery document, except `grant_types_supported`. */
    discovery?(config: Config): Readonly<Record<string, unknown>>
    /** The grant types that it adds to the token endpoint. */
    grantTypes?: readonly GrantType[]
    /** Binds tokens to keys of their clients. */
    boundTokens?: BoundTokens
    /**
     * The parameters of an authorization request that the client has sent before, if the query refers
     * to one. `readRequest` then reads them.
     */
    readPushedRequest?(c: AppContext, query: URLSearchParams): Promise<string | undefined>
    /**
     * An authorization request that did not arrive as a URL, but that a route of the feature started
     * with these parameters; undefined for any other. `isApproved`: the user has just approved it.
     */
    readRequest?(
      c: AppContext,
      params: URLSearchParams,
      isApproved: boolean,
    ): Promise<AuthorizationRequest | undefined>
    /** Reduces what an authorization request asks for, or requires more of the user. */
    limitRequest?(
      c: AppContext,
      request: AuthorizationRequest,
      isApproved: boolean,
    ): Promise<AuthorizationRequest>
    /**
     * The claims that it adds to a token or to userinfo, or, at the introspection of a token, what
     * replaces those that it was issued with.
     */
    claims?(token: IssuedClaims | IntrospectedClaims): Readonly<Record<string, unknown>> | undefined
    /** What the consent page says about an app, and what else the app gets. */
    consentPart?(messages: Messages, request: ConsentRequest): ConsentPart | undefined
    /** Runs before a user's consent is stored. Throws a SignInError if it is not accepted. */
    beforeConsent?(c: AppContext, request: ConsentDecision): Promise<void>
  }

  interface FeatureErrors {
    /** A page for the user, instead of an error for the client. */
    page?(c: AppContext, error: AuthorizationError): Promise<Response | undefined>
  }
}
