import type { Client } from '../registration-schemas/clients.ts'

/** A redirect URI that was found among those its client registered. */
export type RegisteredRedirectUri = string & { readonly [registered]: true }
declare const registered: unique symbol

/** How the response to an authorization request can be sent. */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const

/** Where and how the response to an authorization request is sent. */
export interface ResponseDestination {
  client: Client
  redirectUri: RegisteredRedirectUri
  responseMode: (typeof RESPONSE_MODES)[number]
  state: string | undefined
  /**
   * Whether the user has just pressed a button that leads there. Otherwise, we do not send them to an
   * address that nobody has checked, not even with an error, until they have allowed the client.
   */
  isChosenByUser?: boolean
}

/**
 * An authorization request is invalid, but its client and redirect URI are valid: the client is
 * informed, or the user decides whether it is.
 */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: string
  readonly destination: ResponseDestination

  constructor(code: string, text: string, destination: ResponseDestination) {
    super(text)
    this.code = code
    this.destination = destination
  }
}
