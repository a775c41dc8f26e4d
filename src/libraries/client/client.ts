import { rejectUnknown } from '../verify/known-options.ts'
import { authorizationCode } from './authorization-code.ts'
import { isBrowser, requireBrowser } from './browser.ts'
import type { Dpop } from './dpop.ts'
import { fetchWithToken } from './fetch-with-token.ts'
import { loginService } from './login-service.ts'
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
  redirectUri?: string | undefined
  /** With `redirectUri`: `openid profile offline_access` by default. */
  scope?: string | undefined
  /** With `redirectUri`: the APIs that tokens are requested for, the default first. */
  audiences?: readonly string[] | undefined
  /**
   * With `redirectUri`, the export `dpop`: binds tokens to a key of this browser (RFC 9449). For
   * clients that are registered with `dpop_bound_access_tokens`. Call APIs with `fetchWithToken`.
   */
  dpop?: Dpop | undefined
}

export interface TokenOptions {
  /** With `redirectUri` an API in `audiences`, otherwise another client at the same origin. */
  audience?: string | undefined
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
  /**
   * The session with a new token, in all tabs: after something has changed that tokens contain, such
   * as roles.
   *
   * @throws UnavailableError
   */
  refresh(): Promise<Session<Claims> | null>
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

const KNOWN: Readonly<Record<keyof ClientOptions, true>> = {
  url: true,
  clientId: true,
  redirectUri: true,
  scope: true,
  audiences: true,
  dpop: true,
}

/** The clients of this page, by their options. */
const clients = new Map<string, Client>()

/**
 * Creates the client of an app. It sends no request before the session is needed. Calls with the
 * same options return the same client, so that the session is requested once.
 */
export function createClient<Claims = unknown>(options: ClientOptions): Client<Claims> {
  const url = readOptions(options)
  const { clientId, redirectUri, scope, audiences, dpop } = options
  const key = JSON.stringify([url, clientId, redirectUri, scope, audiences, Boolean(dpop)])
  const client = clients.get(key) ?? newClient(url, options)
  // Servers create clients for many requests, and keep none of them.
  if (isBrowser()) clients.set(key, client)
  return client as Client<Claims>
}

/** The origin of the login service. */
function readOptions(options: ClientOptions): string {
  rejectUnknown(options, KNOWN)
  const { url, clientId, redirectUri, ...others } = options
  if (!/^https?:\/\/[^/?#@\\]+\/?$/i.test(url) || !URL.canParse(url)) {
    throw new TypeError(
      `url must be the URL of the login service without a path, such as https://login.example.com. It is ${url}.`,
    )
  }
  if (!clientId) throw new TypeError('clientId is missing: pass the client_id of this app.')
  if (redirectUri && !URL.canParse(redirectUri)) {
    throw new TypeError(
      `redirectUri must be a complete URL that is registered. It is ${redirectUri}.`,
    )
  }
  const unused = (['scope', 'audiences', 'dpop'] as const).filter((name) => others[name])
  if (unused.length > 0 && !redirectUri) {
    throw new TypeError(
      `${unused.join(' and ')} would have no effect without redirectUri: pass it, or leave them out. An app on the site of the login service has session tokens, for its client_id.`,
    )
  }
  return new URL(url).origin
}

function newClient(url: string, options: ClientOptions): Client {
  const { clientId, redirectUri, ...rest } = options
  const service = loginService(url)
  const source = redirectUri
    ? authorizationCode(service, { ...rest, clientId, redirectUri })
    : sessionEndpoint(service, clientId)
  const store = new SessionStore(source, `vestibule ${url} ${clientId}`)

  return {
    url,
    async getSession() {
      return (await store.get())?.session ?? null
    },
    async getToken({ audience } = {}) {
      return (await store.get(audience))?.session.token ?? null
    },
    async refresh() {
      return (await store.refresh())?.session ?? null
    },
    getState: () => store.state,
    onChange: (listener) => store.subscribe(listener),
    async signIn(signInOptions = {}) {
      requireBrowser()
      await source.signIn(signInOptions)
    },
    async signOut() {
      requireBrowser()
      await source.signOut()
      store.signedOut()
    },
    fetchWithToken(input, { audience, ...init } = {}) {
      const request = new Request(input, init)
      return fetchWithToken(store, source, { request, audience })
    },
  }
}
