import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as client from 'openid-client'

/** What an app has to know to be a client of the login service. */
export interface ClientSettings {
  /** The login service, by its issuer: everything else is discovered. */
  AUTH_URL: string
  /** This app's own origin. */
  APP_URL: string
  CLIENT_ID: string
  /** A public client has none. */
  CLIENT_SECRET?: string
}

/** Somebody who is signed in here. */
export interface Visitor {
  /** What the login service tells of them now. */
  profile: client.UserInfoResponse
  /** What it told when they signed in. */
  idToken: client.IDToken
  /** For the API that the app asked for. */
  accessToken: string
}

/** The sign-in came to nothing. Who reads this may try again. */
export class SignInFailedError extends Error {}

interface Session extends Omit<Visitor, 'profile'> {
  /** To be shown when they sign out. */
  rawIdToken: string
  /** When the access token ends. Milliseconds, as `Date.now` counts them. */
  expiresAt: number
}

/** As long as the login service lets a person take. */
const FIFTEEN_MINUTES = 900 // seconds

/**
 * Who is signed in, by the secret in their cookie. This memory is one worker's and ends with it, which will
 * do for a demo: an app with more than one server keeps its sessions in a store, or sealed in the cookie.
 */
const sessions = new Map<string, Session>()

/** `/signin`, `/callback` and `/signout` of an app. `demand` is what it asks for: scope, and resource. */
export function openIdClient<Settings extends ClientSettings>(
  demand: (settings: Settings) => Record<string, string>,
) {
  return new Hono<{ Bindings: Settings }>()
    .get('/signin', async (c) => {
      const state = client.randomState()
      const nonce = client.randomNonce()
      const verifier = client.randomPKCECodeVerifier()
      const url = client.buildAuthorizationUrl(await discover(c.env), {
        ...demand(c.env),
        redirect_uri: `${c.env.APP_URL}/callback`,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      setCookie(c, attemptCookie(c.env, state), `${nonce}.${verifier}`, {
        ...attributes(c.env, '/callback'),
        maxAge: FIFTEEN_MINUTES,
      })
      return c.redirect(url.href, 303)
    })
    .get('/callback', async (c) => {
      const { search, searchParams } = new URL(c.req.url)
      const expectedState = searchParams.get('state') ?? ''
      const attempt = attemptCookie(c.env, expectedState)
      const [expectedNonce, pkceCodeVerifier] = getCookie(c, attempt)?.split('.') ?? []
      if (!expectedNonce || !pkceCodeVerifier) return answerStranger(c)
      deleteCookie(c, attempt, attributes(c.env, '/callback'))

      const callback = new URL(`${c.env.APP_URL}/callback${search}`)
      const checks = { expectedState, expectedNonce, pkceCodeVerifier }
      const id = await openSession(c.env, callback, checks)
      setCookie(c, sessionCookie(c.env), id, attributes(c.env, '/'))
      return c.redirect('/', 303)
    })
    .post('/signout', async (c) => {
      // Services on localhost are one site, and share their cookies: the origin alone tells whose form it was.
      if (c.req.header('Origin') !== c.env.APP_URL) {
        return c.text('Only a page of this app may sign people out of it.', 403)
      }
      const id = getCookie(c, sessionCookie(c.env)) ?? ''
      const session = sessions.get(id)
      sessions.delete(id)
      deleteCookie(c, sessionCookie(c.env), attributes(c.env, '/'))
      return c.redirect(await signOutUrl(c.env, session), 303)
    })
}

/**
 * Who is signed in, if anybody is. The login service is asked each time, so that who has signed out there, or
 * in another app, is signed out here as well.
 */
export async function readVisitor<Settings extends ClientSettings>(
  c: Context<{ Bindings: Settings }>,
): Promise<Visitor | undefined> {
  const id = getCookie(c, sessionCookie(c.env)) ?? ''
  const session = sessions.get(id)
  if (!session || session.expiresAt < Date.now()) return undefined
  const { idToken, accessToken } = session
  try {
    const configuration = await discover(c.env)
    const profile = await client.fetchUserInfo(configuration, accessToken, idToken.sub)
    return { profile, idToken, accessToken }
  } catch (error) {
    if (!(error instanceof client.WWWAuthenticateChallengeError)) throw error
    sessions.delete(id)
    return undefined
  }
}

/** The sign-in is none of this browser's, or it has loaded the address again. */
async function answerStranger<Settings extends ClientSettings>(
  c: Context<{ Bindings: Settings }>,
): Promise<Response> {
  if (await readVisitor(c)) return c.redirect('/', 303)
  throw new SignInFailedError(
    'This sign-in was started elsewhere, finished before, or took too long.',
  )
}

/** Redeems the code, and returns the secret under which its tokens are kept. */
async function openSession(
  settings: ClientSettings,
  callback: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<string> {
  const tokens = await redeem(await discover(settings), callback, checks)
  const idToken = tokens.claims()
  if (!idToken || !tokens.id_token) throw new Error('The login service sent no ID token.')
  forgetExpired()
  const id = client.randomState()
  sessions.set(id, {
    idToken,
    accessToken: tokens.access_token,
    rawIdToken: tokens.id_token,
    expiresAt: Date.now() + (tokens.expiresIn() ?? 0) * 1000,
  })
  return id
}

async function redeem(
  configuration: client.Configuration,
  callback: URL,
  checks: client.AuthorizationCodeGrantChecks,
) {
  try {
    return await client.authorizationCodeGrant(configuration, callback, checks)
  } catch (cause) {
    const isAnswer =
      cause instanceof client.AuthorizationResponseError ||
      cause instanceof client.ResponseBodyError
    switch (isAnswer && cause.error) {
      case 'access_denied':
      case 'login_required':
        throw new SignInFailedError('You chose not to sign in.', { cause })
      case 'invalid_grant':
        throw new SignInFailedError('This sign-in took too long.', { cause })
      default:
        throw cause
    }
  }
}

function forgetExpired(): void {
  for (const [id, { expiresAt }] of sessions) if (expiresAt < Date.now()) sessions.delete(id)
}

/** {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout}, where the login service has it. */
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

/** The result is remembered, not the promise: what one request waits for, workerd lets no other wait for. */
async function discover(settings: ClientSettings): Promise<client.Configuration> {
  const { AUTH_URL, CLIENT_ID, CLIENT_SECRET } = settings
  const authentication = CLIENT_SECRET ? client.ClientSecretBasic(CLIENT_SECRET) : client.None()
  known ??= await client.discovery(new URL(AUTH_URL), CLIENT_ID, {}, authentication, {
    // Over TLS an ID token needs no other proof than where it came from (OpenID Connect Core §3.1.3.7). Here
    // there is none, so its signature is checked.
    execute: [
      client.enableNonRepudiationChecks,
      ...(isHttps(AUTH_URL) ? [] : [client.allowInsecureRequests]),
    ],
  })
  return known
}

let known: client.Configuration | undefined

/** One for each sign-in under way, so that two tabs do not get in each other's way. */
function attemptCookie({ CLIENT_ID }: ClientSettings, state: string): string {
  return `${CLIENT_ID}.signin.${state}`
}

/** Cookies are shared by all ports of localhost, so each app's bear its name. */
function sessionCookie({ CLIENT_ID }: ClientSettings): string {
  return `${CLIENT_ID}.session`
}

function attributes({ APP_URL }: ClientSettings, path: string) {
  return { path, httpOnly: true, secure: isHttps(APP_URL), sameSite: 'Lax' } as const
}

function isHttps(url: string): boolean {
  return url.startsWith('https:')
}
