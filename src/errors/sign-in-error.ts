import type { FailureDetail } from './failure-detail.ts'

/** Every error a user can see, with its HTTP status. The texts are in `messages/`. */
export const SIGN_IN_ERRORS = {
  access_denied: 403,
  client_unknown: 400,
  client_unreadable: 502,
  redirect_uri_missing: 400,
  redirect_uri_refused: 400,
  id_token_hint_missing: 400,
  id_token_hint_refused: 400,
  post_logout_redirect_uri_refused: 400,
  account_rejected: 403,
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
  request_uri_invalid: 400,
  return_url_refused: 400,
  scope_missing: 403,
  sign_in_again: 401,
  too_many_guesses: 429,
  too_many_requests: 429,
  unavailable: 503,
  user_blocked: 403,
} as const

export type SignInErrorCode = keyof typeof SIGN_IN_ERRORS

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
  /** The page on which a user who has cancelled chose how to sign in. */
  cancelledUrl: string
  /** The sign-in page; undefined if it has no other providers. */
  otherMethodsUrl: string | undefined
  /** Where the user chooses another account of the provider, or tries again with the same one. */
  chooseAccountUrl: string
  tryAgainUrl: string
  /**
   * The sign-in page, on which the field for an email address or user name does not offer passkeys.
   */
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
  detail?: FailureDetail<string>
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
  readonly detail: FailureDetail<string>
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
