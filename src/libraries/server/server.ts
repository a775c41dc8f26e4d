import { sendAsBearer, toUser, type User } from '../client/session.ts'
import { IssuerKeys } from '../verify/issuer-keys.ts'
import { rejectUnknown } from '../verify/known-options.ts'
import { type RequestHeaders, readHeader } from '../verify/request-headers.ts'
import { RevocationFeed } from '../verify/revocation-feed.ts'
import { Cookies } from './cookies.ts'
import { createHandler, type HandlerRequest, NO_STORE } from './handler.ts'
import { type EndedSession, LoginService } from './login-service.ts'
import { readOptions, type ServerOptions } from './options.ts'
import { Sessions } from './sessions.ts'
import { isExpired, type SessionClaims, type StoredSession } from './stored-session.ts'

/** A signed-in user. The type parameter has the claims that the deployment adds. */
export interface Session<Claims = unknown> {
  user: User
  /** The claims of the ID token, which are current after each renewal of the token. */
  claims: SessionClaims & Claims
}

/** A token for the APIs in `audiences`. */
export interface RenewedToken<Claims = unknown> {
  /** Null if the user is signed out. */
  token: string | null
  /** As `getSession` returns it. */
  session: Session<Claims> | null
  /**
   * To be added to the response: they replace the cookie if the token was renewed, and forbid caches
   * to store what a signed-in user sees.
   */
  headers: Headers
  /** A copy of the response with these headers. Those of `fetch` cannot be changed. */
  withHeaders(response: Response): Response
  /** The `Cookie` header with the renewed cookie, for a proxy that passes the request on. */
  cookie: string
  /**
   * `fetch` with the token, if there is one, and with a proof if it is bound to a key. Call it only
   * for APIs that may have the token.
   */
  fetchWithToken: typeof fetch
}

/** The sessions of an app whose server renders pages. */
export interface Server<Claims = unknown> {
  /** Responds to `GET <path>/signin`, `GET <path>/callback` and `POST <path>/signout`. */
  handler(request: HandlerRequest): Promise<Response>
  /**
   * The session, or null if the user is signed out. Never changes the cookie, so it can be called
   * anywhere. A request is sent only if the session was not confirmed for the lifetime of a token.
   *
   * @throws UnavailableError if it cannot be confirmed, which does not mean signed out
   */
  getSession(request: RequestHeaders): Promise<Session<Claims> | null>
  /**
   * A token for APIs, which is renewed before it expires. Whoever ignores the headers signs the user
   * out, because the refresh token in the cookie can be used only once.
   *
   * @throws UnavailableError if the token has expired and cannot be renewed
   */
  getToken(request: RequestHeaders): Promise<RenewedToken<Claims>>
  /**
   * For places that cannot set headers, such as server components. The token is never renewed: it is
   * null if it has expired, or if the user is signed out.
   */
  getToken(
    request: RequestHeaders,
    options: { canSetHeaders: false },
  ): Promise<Pick<RenewedToken, 'token' | 'fetchWithToken'>>
  /**
   * For apps that keep sessions in a store: verifies the `logout_token` that the login service posts
   * to the `backchannel_logout_uri`. Returns null if it must be rejected.
   */
  verifyLogoutToken(token: string): Promise<EndedSession | null>
}

/**
 * Creates the sessions of an app. The options are read when it is first used, because frameworks
 * load modules during a build, where secrets are missing. Then each function throws a TypeError if
 * one is invalid.
 */
export function createServer<Claims = unknown>(options: ServerOptions): Server<Claims> {
  let parts: ReturnType<typeof connect> | undefined
  function connected(): ReturnType<typeof connect> {
    parts ??= connect(options)
    return parts
  }

  async function getSession(request: RequestHeaders): Promise<Session<Claims> | null> {
    const { sessions } = connected()
    const found = await sessions.read(request)
    const claims = found && (await sessions.confirm(found))
    return claims && toSession(claims)
  }

  async function getToken(
    request: RequestHeaders,
    options: { canSetHeaders?: boolean } = {},
  ): Promise<RenewedToken<Claims>> {
    rejectUnknown(options, { canSetHeaders: true })
    const { canSetHeaders = true } = options
    const { cookies, sessions } = connected()
    const headers = new Headers()
    let cookie = readHeader(request, 'cookie') ?? ''
    const found = await sessions.read(request)
    const current = found && canSetHeaders ? await sessions.renewIfDue(found) : found
    const isUsable = current && !isExpired(current.session) && current.outdatedSince === undefined
    const session = isUsable ? current.session : undefined
    if (session) headers.set('Cache-Control', NO_STORE)
    if (session && canSetHeaders && current?.isRenewed) {
      const renewed = await sessions.cookieFor(session)
      headers.set('Set-Cookie', renewed)
      cookie = cookies.afterSetting(renewed, request)
    }
    return {
      token: session?.accessToken ?? null,
      session: session ? toSession(session.claims) : null,
      headers,
      withHeaders: (response) => withHeaders(response, headers),
      cookie,
      fetchWithToken: (input, init) => fetchWithToken(new Request(input, init), session),
    }
  }

  function toSession(claims: SessionClaims): Session<Claims> {
    return { user: toUser(claims), claims: claims as SessionClaims & Claims }
  }

  async function fetchWithToken(
    request: Request,
    session: StoredSession | undefined,
  ): Promise<Response> {
    if (!session) return fetch(request)
    const { accessToken, key } = session
    return options.dpop && key
      ? options.dpop.fetchWithToken(request, key, accessToken)
      : sendAsBearer(request, accessToken)
  }

  return {
    handler: async (request) => connected().handler(request),
    getSession,
    getToken,
    verifyLogoutToken: async (token) => connected().login.verifyLogoutToken(token),
  }
}

function withHeaders(response: Response, headers: Headers): Response {
  const copy = new Response(response.body, response)
  for (const [name, value] of headers) {
    if (name === 'set-cookie') copy.headers.append(name, value)
    else copy.headers.set(name, value)
  }
  return copy
}

function connect(options: ServerOptions) {
  const settings = readOptions(options)
  const { url: issuer, clientId, fetch } = settings
  const keys = new IssuerKeys(fetch, `${issuer}/.well-known/jwks.json`)
  const feed = new RevocationFeed({ fetch, issuer, keys })
  const cookies = new Cookies(settings)
  const login = new LoginService(settings, keys)
  const sessions = new Sessions({ clientId, cookies, feed, login })
  return {
    cookies,
    login,
    sessions,
    handler: createHandler({ settings, cookies, login, sessions }),
  }
}
