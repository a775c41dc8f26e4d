import { authorizationCode } from './authorization-code.ts'
import { fetchWithToken } from './fetch-with-token.ts'
import type { Session, SessionState, SignInOptions } from './session.ts'
import { sessionEndpoint } from './session-endpoint.ts'
import { SessionStore } from './session-store.ts'

export interface ClientOptions {
  /** The login service: its `AUTH_URL`. */
  url: string
  clientId: string
  /**
   * For apps on another site than the login service: a registered redirect URI, also for sign-outs.
   * Its page must create the client and read the session. Without it, the app reads the session
   * endpoint.
   */
  redirectUri?: string
  /** With `redirectUri`: `openid profile offline_access` by default. */
  scope?: string
  /** With `redirectUri`: the APIs that tokens are requested for, the default first. */
  audiences?: readonly string[]
}

export interface TokenOptions {
  /** With `redirectUri` an API in `audiences`, otherwise another client at the same origin. */
  audience?: string
}

/** The session of this browser. The type parameter has the claims that the deployment adds. */
export interface Client<Claims = unknown> {
  /** The login service. */
  readonly url: string
  /**
   * The session, or null if the user is signed out.
   *
   * @throws UnavailableError if the login service is unavailable and the last token has expired
   */
  getSession(): Promise<Session<Claims> | null>
  /** A token for an API, which is valid for a while, or null if the user is signed out. */
  getToken(options?: TokenOptions): Promise<string | null>
  /** What is known without a request. */
  getState(): SessionState<Claims>
  /**
   * Calls the listener with the state as soon as it is known, and after each change, also in other
   * tabs. Returns a function that stops it.
   */
  onChange(listener: (state: SessionState<Claims>) => void): () => void
  /** Leaves the page to sign in. */
  signIn(options?: SignInOptions): Promise<void>
  /** Signs the user out of every app. With `redirectUri`, the browser leaves the page. */
  signOut(): Promise<void>
  /** `fetch` with a token. Call it only for APIs that may have the token. */
  fetchWithToken(input: RequestInfo | URL, init?: RequestInit & TokenOptions): Promise<Response>
}

/** Creates the client of an app. It sends no request before the session is needed. */
export function createClient<Claims = unknown>(options: ClientOptions): Client<Claims> {
  const { clientId, redirectUri, ...rest } = options
  const url = new URL(options.url).origin
  const source = redirectUri
    ? authorizationCode<Claims>(url, { ...rest, clientId, redirectUri })
    : sessionEndpoint<Claims>(url, clientId)
  const store = new SessionStore(source, `vestibule ${url} ${clientId}`)

  return {
    url,
    async getSession() {
      return (await store.get())?.session ?? null
    },
    async getToken({ audience } = {}) {
      return (await store.get(audience))?.session.token ?? null
    },
    getState: () => store.state,
    onChange: (listener) => store.subscribe(listener),
    signIn: (signInOptions = {}) => source.signIn(signInOptions),
    async signOut() {
      await source.signOut()
      store.signedOut()
    },
    fetchWithToken(input, { audience, ...init } = {}) {
      const request = new Request(input, init)
      return fetchWithToken(store, (required) => source.signIn(required), { request, audience })
    },
  }
}
