/** A signed-in user. What the provider did not send is absent. */
export interface User {
  /** `usr_…`, which never changes. */
  id: string
  name?: string
  username?: string
  /** Verified. */
  email?: string
  /** The URL of a picture. */
  image?: string
  /** The URL of the user's profile. */
  url?: string
  /** Absent if the user has none. */
  roles?: string[]
}

/** The claims of every token. Times are in seconds since 1970. */
export interface TokenClaims {
  sub: string
  sid?: string
  iat: number
  exp: number
  auth_time?: number
  acr?: string
  amr?: string[]
  /** Absent if the login service has none. */
  roles?: string[]
}

/** The claims of an ID token that describe the user. */
interface ProfileClaims {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  picture?: string
  profile?: string
  roles?: string[]
}

/** The user of an ID token. */
export function toUser(claims: ProfileClaims): User {
  const { sub: id, name, preferred_username: username, email, picture: image, profile } = claims
  const roles = claims.roles?.length ? claims.roles : undefined
  const described = Object.entries({ name, username, email, image, url: profile, roles })
  return { id, ...Object.fromEntries(described.filter(([, value]) => value !== undefined)) }
}

/** A session, with the claims that the deployment adds as type parameter. */
export interface Session<Claims = unknown> {
  user: User
  /** When the session ends if it is not used again. Unknown with `redirectUri`. */
  expires?: string
  /** For APIs: the session token, or with `redirectUri` the access token. */
  token: string
  /** The claims of the session token, or with `redirectUri` of the ID token. */
  claims: TokenClaims & Claims
}

/** What is known about the session. */
export type SessionState<Claims = unknown> =
  | { status: 'loading'; session?: undefined; error?: undefined }
  | { status: 'signed-in'; session: Session<Claims>; error?: undefined }
  /** `error` is the OAuth error code if a sign-in has just failed, such as `access_denied`. */
  | { status: 'signed-out'; session: null; error?: string | undefined }
  /** The login service cannot be reached, and the last token has expired. */
  | { status: 'unavailable'; session?: undefined; error: Error }

/** The login service did not respond as it should. This does not mean that the user signed out. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined
  /** The error code of the response, if it has one. */
  readonly code: string | undefined

  constructor(
    message: string,
    details: { status?: number; code?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.status = details.status
    this.code = details.code
  }
}

/** A session with its token for one audience. Times are in milliseconds, like `Date.now()`. */
export interface HeldSession<Claims = unknown> {
  session: Session<Claims>
  receivedAt: number
  expiresAt: number
  /** Why a session that was stored before could not be checked. */
  failure?: unknown
}

export interface SignInOptions {
  /** The id of a provider, which skips the sign-in page. */
  provider?: string | undefined
  /** The page of this app to return to. The current one by default. */
  returnTo?: string | undefined
  prompt?: 'none' | 'login' | 'consent' | 'select_account' | undefined
}

/** What an API requires from the next sign-in. */
export interface SignInRequirements {
  scope?: string | undefined
  acrValues?: string | undefined
  maxAge?: string | undefined
}

/** Where sessions come from: the session endpoint, or the authorization code flow. */
export interface SessionSource<Claims = unknown> {
  /** When the user returns to the page, an answer of this age (in milliseconds) is checked. */
  readonly maxAge: number
  /** The OAuth error code of a sign-in that has just failed. */
  readonly signInError?: string | undefined
  /**
   * Returns null if the user is signed out. A token that was received before `notBefore` is renewed;
   * if that fails, it is returned with the failure until it expires.
   *
   * @throws UnavailableError
   */
  load(audience: string, notBefore: number): Promise<HeldSession<Claims> | null>
  /** Sends a request with a token. */
  send(request: Request, token: string): Promise<Response>
  /**
   * Whether tokens can get a scope by a sign-in. If not, the developer of the app is told what to do
   * about the response of the API.
   */
  canRequest(scope: string | undefined, response: Response): boolean
  /** Leaves the page. */
  signIn(options: SignInOptions & SignInRequirements): Promise<void>
  signOut(): Promise<void>
}

export function sendAsBearer(request: Request, token: string): Promise<Response> {
  request.headers.set('Authorization', `Bearer ${token}`)
  return fetch(request)
}

/** Renewed when a fifth of the lifetime is left. */
const RENEWED_AFTER = 0.8

/** When a token is renewed, by the clock of this device: at once, if that was set back since. */
export function renewalTime({ receivedAt, expiresAt }: Omit<HeldSession, 'session'>): number {
  return Date.now() < receivedAt ? 0 : receivedAt + (expiresAt - receivedAt) * RENEWED_AFTER
}
