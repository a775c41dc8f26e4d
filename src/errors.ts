/** Every error a user can see, with its HTTP status. The texts are in `pages/messages/`. */
export const SIGN_IN_ERRORS = {
  access_denied: 403,
  client_unknown: 400,
  redirect_uri_refused: 400,
  id_token_hint_refused: 400,
  post_logout_redirect_uri_refused: 400,
  account_taken: 409,
  already_signed_in: 409,
  attempt_missing: 400,
  code_expired: 400,
  configuration: 500,
  credentials_rejected: 401,
  cross_site: 403,
  internal: 500,
  method_not_allowed: 405,
  not_allowed: 403,
  not_eligible: 403,
  not_found: 404,
  passkey_rejected: 403,
  passkey_unknown: 403,
  provider_invalid: 502,
  provider_misconfigured: 500,
  provider_refused: 502,
  provider_unavailable: 503,
  provider_unknown: 404,
  request_invalid: 400,
  request_too_large: 413,
  return_url_refused: 400,
  scope_missing: 403,
  sign_in_again: 401,
  too_many_guesses: 429,
  too_many_requests: 429,
  unavailable: 503,
  user_blocked: 403,
} as const

export type SignInErrorCode = keyof typeof SIGN_IN_ERRORS

/** What the log may contain about a failure. Never a code, token, state or profile. */
export interface FailureDetail {
  provider?: string
  /** The provider's error code. */
  upstreamError?: string
  upstreamErrorType?: string
  upstreamStatus?: number
  /** TikTok's support asks for it. */
  logId?: string
  hint?: string
  /** The bug in a deployment's own provider, if that is the reason. */
  event?: 'profile_callback_failed' | 'account_callback_failed' | 'email_failed' | 'email_rejected'
  /** The stack of that bug. */
  cause?: string
}

/** The format of the error codes providers use. Anything else a provider sends is not logged. */
const UPSTREAM_ERROR_CODE = /^[a-z][a-z_]{1,39}$/

/** A provider's error report, reduced to what may be logged. */
export function upstreamErrorDetail(report: {
  error?: string | undefined
  errorType?: string | undefined
  logId?: unknown
}): FailureDetail {
  const { error, errorType, logId } = report
  return {
    ...(error && { upstreamError: loggableCode(error) }),
    ...(errorType && { upstreamErrorType: loggableCode(errorType) }),
    ...(typeof logId === 'string' && /^\w{1,64}$/.test(logId) && { logId }),
  }
}

function loggableCode(code: string): string {
  return UPSTREAM_ERROR_CODE.test(code) ? code : 'other'
}

/** How a user can continue from an error page. All addresses have been checked. */
export interface Recovery {
  provider: string
  returnTo: string
  /**
   * Where the user returns to without having signed in. An authorization request is answered with
   * an error.
   */
  goBackUrl: string
  /** The name of the app that they return to, if it is one. */
  app: string | undefined
  /** The sign-in page; undefined if it has no other providers. */
  otherProvidersUrl: string | undefined
  /** Where the user chooses another account of the provider, or tries again with the same one. */
  chooseAccountUrl: string
  tryAgainUrl: string
  /** The sign-in page, on which the field for an email address or user name does not offer passkeys. */
  withoutAutofillUrl: string
}

/** A user by what pages show of them. */
export interface NamedUser {
  name?: string | null
  username?: string | null
  email?: string | null
  image?: string | null
}

/** The users between whom the person at the browser has to decide. */
export interface UserChoice {
  /** The user who is signed in. */
  current: NamedUser
  /** The user who has just been identified, and the name of the provider that did it. */
  other?: NamedUser & { provider: string }
}

interface SignInErrorOptions {
  cause?: unknown
  detail?: FailureDetail
  recovery?: Recovery
  users?: UserChoice | undefined
  /** The path at which a user continues who has signed in again. */
  continueAt?: string | undefined
  /** The invalid request parameter, by its name in our own schema. */
  parameter?: string | undefined
  status?: (typeof SIGN_IN_ERRORS)[SignInErrorCode] | 414 | 431
}

/** The user must be informed: becomes a page with a reference, or JSON for programs. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: SignInErrorCode
  readonly status
  readonly detail: FailureDetail
  readonly recovery: Recovery | undefined
  readonly users: UserChoice | undefined
  readonly continueAt: string | undefined
  readonly parameter: string | undefined

  constructor(code: SignInErrorCode, options: SignInErrorOptions = {}) {
    super(code, { cause: options.cause })
    this.code = code
    this.status = options.status ?? SIGN_IN_ERRORS[code]
    this.detail = options.detail ?? {}
    this.recovery = options.recovery
    this.users = options.users
    this.continueAt = options.continueAt
    this.parameter = options.parameter
  }

  /** The same error, once it is known where the user came from. */
  withRecovery(recovery: Recovery): SignInError {
    const { cause, detail, status, parameter, users, continueAt } = this
    return new SignInError(this.code, {
      cause,
      detail: { provider: recovery.provider, ...detail },
      status,
      parameter,
      users,
      continueAt,
      recovery,
    })
  }
}

/**
 * Storage did not respond, so nothing was decided or issued. Users get the error `unavailable`,
 * clients `temporarily_unavailable`; both may try again.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'

  /** For the log: what to do, if waiting does not help. */
  get hint(): string | undefined {
    if (!isMissingMigration(this.cause)) return undefined
    return 'migrations were not applied: npm run migrate'
  }
}

/** What D1 reports when a statement is newer than the schema of the database. */
const MISSING_SCHEMA = /D1_ERROR: (?:no such (?:table|column)|.*has no column named)/

/** Whether a request failed because the migrations of this version were not applied. */
export function isMissingMigration(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return MISSING_SCHEMA.test(error.message) || isMissingMigration(error.cause)
}

/** Waits for storage. If it fails, the request fails too: nothing is issued without its answer. */
export async function requireStorage<Result>(call: () => Result): Promise<Awaited<Result>> {
  try {
    return await call()
  } catch (cause) {
    throw new UnavailableError('Storage did not respond.', { cause })
  }
}

/** The next signing keys have not been published for long enough to sign, or too many retired ones still are. */
export class RotationTooEarlyError extends Error {
  override readonly name = 'RotationTooEarlyError'
  /** When a rotation is possible, in seconds since 1970. */
  readonly possibleAt: number

  constructor(reason: 'too_early' | 'too_many_keys', possibleAt: number) {
    const minute = new Date(Math.ceil(possibleAt / 60) * 60_000).toISOString().slice(0, 16)
    const problem =
      reason === 'too_early'
        ? 'The next keys were published only a few minutes ago, and verifiers may not have fetched them yet'
        : 'Too many retired keys are still published'
    super(
      `${problem}: rotate after ${minute.replace('T', ' ')} UTC. If a key may have leaked, revoke the keys instead, which is possible at any time.`,
    )
    this.possibleAt = possibleAt
  }
}

/**
 * A callback or an event of the deployment failed, so nothing was issued. Its message names the
 * callback and the reason, and is only logged.
 */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
  /** It took too long: trying again may help. Otherwise the deployment must be corrected. */
  readonly isTimeout: boolean

  constructor(
    text: string,
    { cause, isTimeout = false }: { cause?: unknown; isTimeout?: boolean } = {},
  ) {
    super(text, { cause })
    this.isTimeout = isTimeout
  }
}

/** What a user is informed with. */
export function callbackErrorCode({ isTimeout }: CallbackError): SignInErrorCode {
  return isTimeout ? 'unavailable' : 'configuration'
}

/** For the log: the message, and the stack of the deployment's own error. */
export function describeCallbackError({ message, cause }: CallbackError): string {
  if (cause === undefined) return message
  return `${message} ${cause instanceof Error ? (cause.stack ?? cause) : cause}`
}

/** The errors of RFC 6749 §5.2 and its extensions, with their HTTP status. */
const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_token_type: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

type OAuthErrorCode = keyof typeof OAUTH_ERRORS

interface OAuthErrorOptions {
  cause?: unknown
  /** The `WWW-Authenticate` scheme to respond with. */
  challenge?: 'Basic' | 'Bearer'
  /** The request had no credentials at all, so the challenge names no error (RFC 6750 §3.1). */
  hasNoCredentials?: boolean
  status?: 429
}

/** A client called an endpoint incorrectly: becomes `{ error, error_description }`. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status
  readonly challenge: 'Basic' | 'Bearer' | undefined
  readonly hasNoCredentials: boolean

  constructor(code: OAuthErrorCode, text: string, options: OAuthErrorOptions = {}) {
    super(text, { cause: options.cause })
    this.code = code
    this.status = options.status ?? OAUTH_ERRORS[code]
    this.challenge = options.challenge
    this.hasNoCredentials = options.hasNoCredentials ?? false
  }
}

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

/** The deployment is misconfigured. Lists all problems, without the values that cause them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]
  /** Where users get help: the page of this error cannot read it from the configuration. */
  readonly contact: string | undefined

  constructor(problems: readonly string[], contact?: string) {
    super(`The configuration has ${problems.length} problem(s): ${problems.join(' ')}`)
    this.problems = problems
    this.contact = contact
  }
}

/** A client or API cannot be registered or changed like this: the administrator is informed. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError'
  readonly kind: 'invalid' | 'not_found' | 'exists' | 'read_only'
  readonly problems: readonly string[]

  constructor(kind: RegistrationError['kind'], problems: readonly string[]) {
    super(problems.join(' '))
    this.kind = kind
    this.problems = problems
  }
}
