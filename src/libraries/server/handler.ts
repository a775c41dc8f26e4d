import { base64url } from 'jose'
import { UnavailableError } from '../client/session.ts'
import { type RequestHeaders, readHeader } from '../verify/request-headers.ts'
import type { Cookies } from './cookies.ts'
import { type LoginService, TOKEN_TIMEOUT, type Tokens } from './login-service.ts'
import type { Settings } from './options.ts'
import type { Sessions } from './sessions.ts'
import { SharedResults } from './shared-results.ts'

/** Responses that set cookies must not be stored, not even by the browser. */
export const NO_STORE = 'private, no-store'

/** As long as the login service waits for the user. */
const ATTEMPT_LIFETIME = 3600 // seconds

/** So that the cookies of several attempts are short enough. */
const MAX_RETURN_LENGTH = 500

/** How long a second request with the same code gets the response to the first one. */
const REPEAT_PERIOD = 60_000 // milliseconds

const ACTIONS = ['signin', 'callback', 'signout'] as const

/** What a page of this app may add to the authorization request. */
const PARAMETERS = ['provider', 'prompt', 'ui_locales', 'acr_values', 'max_age']

/** Together with the rest of an attempt, they fit in a cookie. */
const MAX_PARAMETERS_LENGTH = 500

/** A `Request`, or a request of Node or Express, of which no body is read. */
export interface HandlerRequest extends RequestHeaders {
  method?: string | undefined
  url?: string | undefined
}

/** A sign-in that is under way in one browser. Its cookie has the `state` in its name. */
interface Attempt {
  verifier: string
  nonce: string
  returnTo: string
  /** What the page has added to the authorization request, as a query. */
  added: string
  expiresAt: number
  /** Whether it repeats an attempt whose tokens were lost. */
  isRepeated: boolean
}

interface Parts {
  settings: Settings
  cookies: Cookies
  login: LoginService
  sessions: Sessions
}

/** Signs users in and out. */
export function createHandler({ settings, cookies, login, sessions }: Parts) {
  const { url, clientId, origin, path, scope, audiences, errorPath } = settings
  /** Browsers may request the callback twice, but a code can be redeemed once. */
  const redemptions = new SharedResults<Tokens | null>(TOKEN_TIMEOUT)

  return async function handler(request: HandlerRequest): Promise<Response> {
    const { url: requested = '' } = request
    const isUrl = URL.canParse(requested, origin)
    const { pathname, searchParams } = new URL(isUrl ? requested : '/', origin)
    // Frameworks and proxies may remove the beginning of the path.
    const action = ACTIONS.find((each) => `${path}/${each}`.endsWith(pathname))
    if (!action) {
      const pages = ACTIONS.map((each) => `${path}/${each}`).join(', ')
      const body = `Not found. The handler has ${pages}. If it is elsewhere, set the option path.`
      return respond(404, { body })
    }
    const method = action === 'signout' ? 'POST' : 'GET'
    if (request.method !== method) {
      const body = 'Sign in with a link (GET), and sign out with a form (POST).'
      return respond(405, { body, headers: { Allow: method } })
    }
    if (action === 'signout') return signOut(request)
    // Nothing starts or ends a sign-in before the user wants it, or in a frame.
    if (!isNavigation(request)) {
      return respond(403, { body: 'Sign in with a link, and not in a script, frame or prefetch.' })
    }
    return action === 'signin' ? signIn(request, searchParams) : finish(request, searchParams)
  }

  async function signIn(request: HandlerRequest, query: URLSearchParams): Promise<Response> {
    const returnTo = safeReturnUrl(query.get('returnTo') ?? '/')
    const given = PARAMETERS.filter((name) => query.get(name))
    const added = new URLSearchParams(given.map((name) => [name, query.get(name) ?? ''])).toString()
    if (added.length > MAX_PARAMETERS_LENGTH) return fail('invalid_request', 400, returnTo)
    return start(request, { returnTo, added, isRepeated: false })
  }

  /** {@link https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest} */
  async function start(
    request: HandlerRequest,
    { returnTo, added, isRepeated }: Pick<Attempt, 'returnTo' | 'added' | 'isRepeated'>,
  ): Promise<Response> {
    const state = randomText()
    const [verifier, nonce] = [randomText(), randomText()]
    const expiresAt = Date.now() + ATTEMPT_LIFETIME * 1000
    const attempt: Attempt = { verifier, nonce, returnTo, added, expiresAt, isRepeated }
    const query = new URLSearchParams([
      ...new URLSearchParams(added),
      ['response_type', 'code'],
      ['client_id', clientId],
      ['redirect_uri', `${origin}${path}/callback`],
      ['scope', scope],
      ['state', state],
      ['nonce', nonce],
      ['code_challenge', await challengeFor(verifier)],
      ['code_challenge_method', 'S256'],
      ...audiences.map((audience) => ['resource', audience]),
    ])
    const cookie = (await cookies.seal(cookies.attempt(state), attempt, ATTEMPT_LIFETIME)) ?? ''
    const superfluous = cookies.superfluous(request, cookie)
    return redirect(`${url}/oidc/authorize?${query}`, [
      cookie,
      ...superfluous.map((name) => cookies.clear(name)),
    ])
  }

  /** {@link https://openid.net/specs/openid-connect-core-1_0.html#AuthResponse} */
  async function finish(request: HandlerRequest, response: URLSearchParams): Promise<Response> {
    const name = cookies.attempt(response.get('state') ?? '')
    const attempt = await cookies.open<Attempt>(request, name)
    if (!attempt || Date.now() >= attempt.expiresAt) return finishAgain(request)
    const cleared = cookies.clear(name)
    const failure = failureOf(response)
    if (failure) return withCookies(fail(failure, 400, attempt.returnTo), [cleared])
    try {
      return withCookies(await redeem(request, response.get('code') ?? '', attempt), [cleared])
    } catch (error) {
      console.error('vestibule-auth: a sign-in has failed.', error)
      // The attempt is kept, so that the page can be loaded again.
      if (isTemporary(error)) return fail('unavailable', 503, attempt.returnTo)
      return withCookies(fail('configuration', 500, attempt.returnTo), [cleared])
    }
  }

  /** The user has opened the page again, from the history for example. */
  async function finishAgain(request: HandlerRequest): Promise<Response> {
    const isSignedIn = (await sessions.read(request)) !== null
    return isSignedIn ? redirect(`${origin}/`) : fail('attempt_missing', 400)
  }

  async function redeem(request: HandlerRequest, code: string, attempt: Attempt) {
    // Without the parameters, the attempt is of a former version of this library.
    const { verifier, nonce, returnTo, added = '', isRepeated } = attempt
    const tokens = await redemptions.get(`${code} ${verifier}`, REPEAT_PERIOD, () =>
      login.redeem(code, verifier, nonce),
    )
    if (tokens) {
      const cookie = await sessions.cookieFor(tokens.session)
      await endReplaced(request, tokens)
      return redirect(returnTo, [cookie])
    }
    if (isRepeated) return fail('invalid_grant', 400, returnTo)
    // The response was lost, or the code is not ours. A user who is signed in at the login service
    // notices nothing, unless the request asks for another sign-in.
    return start(request, { returnTo, added, isRepeated: true })
  }

  /** Copies of the cookie that is replaced would not end when the user signs out. */
  async function endReplaced(request: HandlerRequest, { session }: Tokens): Promise<void> {
    const replaced = await sessions.read(request)
    // The browser may have finished this sign-in before.
    if (!replaced || replaced.session.grantId === session.grantId) return
    await sessions.revoke(replaced.session)
  }

  /** The error code of a response that has no code. */
  function failureOf(response: URLSearchParams): string | undefined {
    for (const name of ['state', 'iss', 'code', 'error']) {
      if (response.getAll(name).length > 1) return 'invalid_response'
    }
    // Another login service must not complete the sign-in (RFC 9207).
    if (response.get('iss') !== url) return 'invalid_issuer'
    const error = response.get('error')
    if (error !== null) return /^[a-z_]{1,64}$/.test(error) ? error : 'invalid_response'
    return response.get('code') ? undefined : 'invalid_response'
  }

  /** {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout} */
  async function signOut(request: HandlerRequest): Promise<Response> {
    if (!isFromThisApp(request)) {
      return respond(403, { body: `Sign out with a form on a page of ${origin}.` })
    }
    const cleared = cookies.clear(cookies.session)
    const found = await sessions.read(request)
    if (!found) return redirect(`${origin}/`, [cleared])
    // The ID token proves that this app takes part in the session. Without it, the user is asked.
    const tokens = await sessions.renew(found.session).catch(() => null)
    // Copies of the cookie end, too, whether or not the browser follows the redirect.
    await sessions.revoke(found.session)
    const query = new URLSearchParams({
      ...(tokens && { id_token_hint: tokens.idToken }),
      client_id: clientId,
      post_logout_redirect_uri: `${origin}/`,
    })
    return redirect(`${url}/oidc/logout?${query}`, [cleared])
  }

  /** Other sites must not sign users out. Not every browser sends both headers. */
  function isFromThisApp(request: HandlerRequest): boolean {
    const site = readHeader(request, 'sec-fetch-site')
    return site ? site === 'same-origin' : readHeader(request, 'origin') === origin
  }

  /** A page of this app. A full URL, because a path can be taken for another host. */
  function safeReturnUrl(returnTo: string): string {
    const { href, pathname } = new URL(URL.canParse(returnTo, origin) ? returnTo : '/', origin)
    const isSafe =
      href.startsWith(`${origin}/`) &&
      href.length <= MAX_RETURN_LENGTH &&
      // It would start another sign-in.
      !pathname.startsWith(`${path}/`)
    return isSafe ? href : `${origin}/`
  }

  /** The user is not signed in, and can try again. */
  function fail(code: string, status: number, returnTo = `${origin}/`): Response {
    if (errorPath) {
      const page = new URL(errorPath, origin)
      page.searchParams.set('error', code)
      return redirect(page.href)
    }
    const again = `${path}/signin?returnTo=${encodeURIComponent(returnTo)}`
    return respond(status, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'",
      },
      body: `<!doctype html><title>Sign in</title><p>You are not signed in (${code}). <a href="${again}">Try again</a></p>`,
    })
  }
}

/** Whether the user has opened a page, and not a script, a frame or a prefetch. */
function isNavigation(request: RequestHeaders): boolean {
  const destination = readHeader(request, 'sec-fetch-dest') ?? 'document'
  return destination === 'document' && !readHeader(request, 'sec-purpose')
}

/** Other errors need a change of the app or its registration. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof UnavailableError)) return false
  const { status = 503 } = error
  return status >= 500 || status === 429
}

function redirect(location: string, setCookies: readonly string[] = []): Response {
  return withCookies(respond(303, { headers: { Location: location } }), setCookies)
}

function respond(
  status: number,
  { headers = {}, body = null }: { headers?: Record<string, string>; body?: string | null } = {},
): Response {
  return new Response(body, { status, headers: { 'Cache-Control': NO_STORE, ...headers } })
}

function withCookies(response: Response, setCookies: readonly string[]): Response {
  for (const cookie of setCookies) response.headers.append('Set-Cookie', cookie)
  return response
}

function randomText(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
}

/** {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2} */
async function challengeFor(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url.encode(new Uint8Array(digest))
}
