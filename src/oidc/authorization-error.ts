/** A redirect URI that was found among those its client registered. */
export type RegisteredRedirectUri = string & { readonly [registered]: true }
declare const registered: unique symbol

/** Where and how the response to an authorization request is sent. */
export interface ResponseAddress {
  redirectUri: RegisteredRedirectUri
  responseMode: 'query' | 'form_post'
  state: string | undefined
}

/**
 * An authorization request is invalid, but its client and redirect URI are valid: the client is
 * informed.
 */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: string
  readonly address: ResponseAddress

  constructor(code: string, text: string, address: ResponseAddress) {
    super(text)
    this.code = code
    this.address = address
  }
}
