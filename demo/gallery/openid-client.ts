import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as client from 'openid-client'

/** The settings that a client of the login service needs. */
export interface ClientSettings {
  /** The issuer of the login service. Its endpoints are discovered from it. */
  AUTH_URL: string
  /** This app's own origin. */
  APP_URL: string
  CLIENT_ID: string
}

export interface SignedInUser {
  /** The current userinfo response of the login service. */
  profile: client.UserInfoResponse
  /** The claims of the ID token, as they were at sign-in. */
  idToken: client.IDToken
}

/** The sign-in was not completed. The message is shown to the user, who may try again. */
export class SignInFailedError extends Error {}

interface Session {
  idToken: client.IDToken
  /** The encoded ID token, which sign-out sends as `id_token_hint`. */
  rawIdToken: string
  accessToken: string
  /** When the access token expires, in milliseconds like `Date.now`. */
  expiresAt: number
}

/** Seconds. The login service gives users the same time to sign in. */
const SIGN_IN_LIFETIME = 900

/**
 * Sessions by the secret in their cookie. They exist in the memory of one worker only, which is
 * enough for a demo: an app with more than one server keeps its sessions in a database or encrypted
 * in the cookie.
 */
const sessions = new Map<string, Session>()

/** The routes `/signin`, `/callback` and `/signout`. */
export function openIdClient(scope: string) {
  return new Hono<{ Bindings: ClientSettings }>()
    .get('/signin', async (c) => {
      const state = client.randomState()
      const nonce = client.randomNonce()
      const verifier = client.randomPKCECodeVerifier()
      const url = client.buildAuthorizationUrl(await discover(c.env), {
        scope,
        redirect_uri: `${c.env.APP_URL}/callback`,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      setCookie(c, attemptCookie(c.env, state), `${nonce}.${verifier}`, {
        ...cookieAttributes(c.env, '/callback'),
        maxAge: SIGN_IN_LIFETIME,
      })
      return c.redirect(url.href, 303)
    })
    .get('/callback', async (c) => {
      const expectedState = c.req.query('state') ?? ''
      const attempt = attemptCookie(c.env, expectedState)
      const [expectedNonce, pkceCodeVerifier] = getCookie(c, attempt)?.split('.') ?? []
      if (!expectedNonce || !pkceCodeVerifier) return respondToUnknownAttempt(c)
      deleteCookie(c, attempt, cookieAttributes(c.env, '/callback'))

      const callback = new URL(`${c.env.APP_URL}/callback${new URL(c.req.url).search}`)
      const checks = { expectedState, expectedNonce, pkceCodeVerifier }
      const id = await createSession(c.env, callback, checks)
      setCookie(c, sessionCookie(c.env), id, cookieAttributes(c.env, '/'))
      return c.redirect('/', 303)
    })
    .post('/signout', async (c) => {
      // All ports of localhost are one site and share cookies, so SameSite does not protect this
      // form here.
      if (c.req.header('Origin') !== c.env.APP_URL) {
        return c.text('Sign-out is only possible from a page of this app.', 403)
      }
      const id = getCookie(c, sessionCookie(c.env)) ?? ''
      const session = sessions.get(id)
      sessions.delete(id)
      deleteCookie(c, sessionCookie(c.env), cookieAttributes(c.env, '/'))
      return c.redirect(await signOutUrl(c.env, session), 303)
    })
}

/**
 * Returns the user of the current session, if there is one. Calls the login service each time, so
 * that a user who signed out there or in another app is signed out here as well.
 */
export async function fetchSignedInUser<Settings extends ClientSettings>(
  c: Context<{ Bindings: Settings }>,
): Promise<SignedInUser | undefined> {
  const id = getCookie(c, sessionCookie(c.env)) ?? ''
  const session = sessions.get(id)
  if (!session || session.expiresAt < Date.now()) return undefined

  const { idToken, accessToken } = session
  try {
    const configuration = await discover(c.env)
    const profile = await client.fetchUserInfo(configuration, accessToken, idToken.sub)
    return { profile, idToken }
  } catch (error) {
    if (!(error instanceof client.WWWAuthenticateChallengeError)) throw error
    sessions.delete(id)
    return undefined
  }
}

/** The sign-in was started in another browser, or the callback was loaded a second time. */
async function respondToUnknownAttempt(
  c: Context<{ Bindings: ClientSettings }>,
): Promise<Response> {
  if (await fetchSignedInUser(c)) return c.redirect('/', 303)
  throw new SignInFailedError(
    'This sign-in was started in another browser, has already been completed, or took too long.',
  )
}

/** Exchanges the code, stores the tokens, and returns the secret for the session cookie. */
async function createSession(
  settings: ClientSettings,
  callback: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<string> {
  const tokens = await exchangeCode(await discover(settings), callback, checks)
  const idToken = tokens.claims()
  if (!idToken || !tokens.id_token) throw new Error('The login service returned no ID token.')

  deleteExpiredSessions()
  const id = client.randomState()
  sessions.set(id, {
    idToken,
    accessToken: tokens.access_token,
    rawIdToken: tokens.id_token,
    expiresAt: Date.now() + (tokens.expiresIn() ?? 0) * 1000,
  })
  return id
}

async function exchangeCode(
  configuration: client.Configuration,
  callback: URL,
  checks: client.AuthorizationCodeGrantChecks,
) {
  try {
    return await client.authorizationCodeGrant(configuration, callback, checks)
  } catch (cause) {
    const isOAuthError =
      cause instanceof client.AuthorizationResponseError ||
      cause instanceof client.ResponseBodyError
    switch (isOAuthError && cause.error) {
      case 'access_denied':
      case 'login_required':
        throw new SignInFailedError('You cancelled the sign-in.', { cause })
      case 'invalid_grant':
        throw new SignInFailedError('This sign-in took too long.', { cause })
      default:
        throw cause
    }
  }
}

function deleteExpiredSessions(): void {
  for (const [id, { expiresAt }] of sessions) {
    if (expiresAt < Date.now()) sessions.delete(id)
  }
}

/**
 * {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout}, if the login
 * service supports it.
 */
async function signOutUrl(settings: ClientSettings, session: Session | undefined): Promise<string> {
  const returnTo = `${settings.APP_URL}/`
  const configuration = await discover(settings)
  if (configuration.serverMetadata().end_session_endpoint) {
    const hint = session && { id_token_hint: session.rawIdToken }
    const parameters = { post_logout_redirect_uri: returnTo, ...hint }
    return client.buildEndSessionUrl(configuration, parameters).href
  }
  return `${settings.AUTH_URL}/api/auth/signout?${new URLSearchParams({ callbackUrl: returnTo })}`
}

/**
 * Caches the result rather than the promise: workerd forbids waiting for a promise of another
 * request.
 */
async function discover(settings: ClientSettings): Promise<client.Configuration> {
  const { AUTH_URL, CLIENT_ID } = settings
  // A public client, without a secret.
  cachedConfiguration ??= await client.discovery(new URL(AUTH_URL), CLIENT_ID, {}, client.None(), {
    // Over TLS, the connection alone proves where an ID token came from (OpenID Connect Core
    // §3.1.3.7). The demo runs without TLS, so it checks the signature.
    execute: [
      client.enableNonRepudiationChecks,
      ...(isHttps(AUTH_URL) ? [] : [client.allowInsecureRequests]),
    ],
  })
  return cachedConfiguration
}

let cachedConfiguration: client.Configuration | undefined

/** Each sign-in has its own cookie, so that sign-ins in two tabs do not overwrite each other. */
function attemptCookie({ CLIENT_ID }: ClientSettings, state: string): string {
  return `${CLIENT_ID}.signin.${state}`
}

/** All ports of localhost share their cookies, so the name includes the client id. */
function sessionCookie({ CLIENT_ID }: ClientSettings): string {
  return `${CLIENT_ID}.session`
}

function cookieAttributes({ APP_URL }: ClientSettings, path: string) {
  return { path, httpOnly: true, secure: isHttps(APP_URL), sameSite: 'Lax' } as const
}

function isHttps(url: string): boolean {
  return url.startsWith('https:')
}
