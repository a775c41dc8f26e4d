/** Everything a person can be told went wrong. The texts live in `pages/messages/`. */
export const SIGN_IN_ERRORS = {
  access_denied: 403,
  already_signed_in: 409,
  attempt_missing: 400,
  code_expired: 400,
  configuration: 500,
  cross_site: 403,
  internal: 500,
  method_not_allowed: 405,
  not_eligible: 403,
  not_found: 404,
  provider_invalid: 502,
  provider_refused: 502,
  provider_unavailable: 503,
  provider_unknown: 404,
  request_invalid: 400,
  request_too_large: 413,
  return_url_refused: 400,
  scope_missing: 403,
  unavailable: 503,
} as const

export type SignInErrorCode = keyof typeof SIGN_IN_ERRORS

/** What the operator may read in the log about a failure. Never a code, token, state or profile. */
export interface FailureDetail {
  provider?: string
  /** The provider's own words for the error, of its fixed vocabulary. */
  upstreamError?: string
  upstreamErrorType?: string
  upstreamStatus?: number
  /** The video platform's support asks for it. */
  logId?: string
  hint?: string
}

/** Where a person can go from an error page. Both addresses have been checked. */
export interface WayOut {
  provider: string
  returnTo: string
}

interface SignInErrorOptions {
  cause?: unknown
  detail?: FailureDetail
  wayOut?: WayOut
  status?: (typeof SIGN_IN_ERRORS)[SignInErrorCode] | 414 | 431
}

/** A person must be told: becomes a page with a reference, or JSON for who asks for JSON. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: SignInErrorCode
  readonly status
  readonly detail: FailureDetail
  readonly wayOut: WayOut | undefined

  constructor(code: SignInErrorCode, options: SignInErrorOptions = {}) {
    super(code, { cause: options.cause })
    this.code = code
    this.status = options.status ?? SIGN_IN_ERRORS[code]
    this.detail = options.detail ?? {}
    this.wayOut = options.wayOut
  }

  /** The same failure, now that it is known where the person came from. */
  withWayOut(wayOut: WayOut): SignInError {
    const { cause, detail, status } = this
    return new SignInError(this.code, {
      cause,
      detail: { provider: wayOut.provider, ...detail },
      status,
      wayOut,
    })
  }
}

/** The deployment is wrong. All its problems are named, without the values that cause them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s): ${problems.join(' ')}`)
    this.problems = problems
  }
}
