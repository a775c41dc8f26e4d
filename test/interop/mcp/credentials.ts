import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** What an MCP client remembers about one server, in memory. */
export class Credentials implements OAuthClientProvider {
  readonly redirectUrl: string
  /** The URL of its metadata document, if it has one. */
  readonly clientMetadataUrl?: string
  /** Opens the address at which the user signs in. */
  readonly redirectToAuthorization: (url: URL) => void
  readonly #state = crypto.randomUUID()
  readonly #registered: StoredOAuthClientInformation | undefined
  #client: StoredOAuthClientInformation | undefined
  #verifier = ''
  #tokens: StoredOAuthTokens | undefined

  constructor(options: {
    redirectUrl: string
    openBrowser: (url: URL) => void
    /** Only for a client that the operator has registered. */
    clientId?: string
    clientMetadataUrl?: string
  }) {
    this.redirectUrl = options.redirectUrl
    this.redirectToAuthorization = options.openBrowser
    if (options.clientId) this.#registered = { client_id: options.clientId }
    this.#client = this.#registered
    if (options.clientMetadataUrl) this.clientMetadataUrl = options.clientMetadataUrl
  }

  /** Registered if it has neither an id nor a metadata document. */
  get clientMetadata() {
    return {
      client_name: 'An assistant',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client
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
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens
  }
  /**
   * The login service no longer accepts them, for example because the user has withdrawn the
   * consent. Without the tokens, the user is asked again.
   */
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined
    if (scope === 'all' || scope === 'client') this.#client = this.#registered
  }
}
