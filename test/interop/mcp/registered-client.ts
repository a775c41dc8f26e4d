import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

/** The credentials of an MCP client that the operator has registered. */
export class RegisteredClient implements OAuthClientProvider {
  readonly clientId: string
  readonly redirectUrl: string
  /** Opens the address at which the user signs in. */
  readonly redirectToAuthorization: (url: URL) => void
  readonly #state = crypto.randomUUID()
  #verifier = ''
  #tokens: OAuthTokens | undefined

  constructor(clientId: string, redirectUrl: string, openBrowser: (url: URL) => void) {
    this.clientId = clientId
    this.redirectUrl = redirectUrl
    this.redirectToAuthorization = openBrowser
  }

  get clientMetadata() {
    return { redirect_uris: [this.redirectUrl] }
  }
  clientInformation() {
    return { client_id: this.clientId }
  }
  /** Compare it with the `state` of the callback. */
  state() {
    return this.#state
  }
  codeVerifier() {
    return this.#verifier
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
}
