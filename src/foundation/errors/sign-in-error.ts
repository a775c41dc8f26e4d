import type { FailureDetail } from './failure-detail.ts'

/**
 * The errors that users can see, with their HTTP status. The texts are in `messages/`. Features
 * declare others, whose status is 403, and pass their type.
 */
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

type Status = (typeof SIGN_IN_ERRORS)[SignInErrorCode] | 414 | 431

const STATUS: Readonly<Record<string, Status>> = SIGN_IN_ERRORS

/** The errors that users of a deployment with these features can see. */
export function signInErrorCodes(
  features: readonly { errors?: { users?: readonly string[] } }[],
): string[] {
  return [...Object.keys(SIGN_IN_ERRORS), ...features.flatMap(({ errors }) => errors?.users ?? [])]
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
  status?: Status
  /** Whether autofill of the sign-in page would offer the same credential again. */
  avoidsAutofill?: boolean
}

/** The user must be informed: becomes a page with a reference, or JSON for programs. */
export class SignInError<Code extends string = SignInErrorCode> extends Error {
  override readonly name = 'SignInError'
  readonly code: string
  readonly status: Status
  readonly detail: FailureDetail<string>
  readonly recovery: Recovery | undefined
  readonly users: UserChoice | undefined
  readonly continueAt: string | undefined
  readonly parameter: string | undefined
  readonly avoidsAutofill: boolean

  constructor(code: NoInfer<Code>, options: SignInErrorOptions = {}) {
    super(code, { cause: options.cause })
    this.code = code
    this.status = options.status ?? STATUS[code] ?? 403
    this.detail = options.detail ?? {}
    this.recovery = options.recovery
    this.users = options.users
    this.continueAt = options.continueAt
    this.parameter = options.parameter
    this.avoidsAutofill = options.avoidsAutofill ?? false
  }

  /** The same error, once it is known where the user came from. */
  withRecovery(recovery: Recovery): SignInError<string> {
    const { cause, detail, status, parameter, users, continueAt, avoidsAutofill } = this
    return new SignInError<string>(this.code, {
      cause,
      detail: { provider: recovery.provider, ...detail },
      status,
      parameter,
      users,
      continueAt,
      avoidsAutofill,
      recovery,
    })
  }
}
