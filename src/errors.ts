/** Everything a person can be told went wrong. The texts live in `pages/messages/`. */
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
  sign_in_again: 401,
  too_many_requests: 429,
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

/** The shape of the words that platforms have for what is wrong. Whatever else a stranger says is not for the log. */
const ERROR_WORD = /^[a-z][a-z_]{1,39}$/

/** What a platform says of a failure, as far as the log may have it. */
export function reported(claims: {
  upstreamError?: string | undefined
  upstreamErrorType?: string | undefined
  logId?: unknown
}): FailureDetail {
  const word = (text: string) => (ERROR_WORD.test(text) ? text : 'other')
  const { upstreamError, upstreamErrorType, logId } = claims
  return {
    ...(upstreamError && { upstreamError: word(upstreamError) }),
    ...(upstreamErrorType && { upstreamErrorType: word(upstreamErrorType) }),
    ...(typeof logId === 'string' && /^\w{1,64}$/.test(logId) && { logId }),
  }
}

/** Where a person can go from an error page. Both addresses have been checked. */
export interface WayOut {
  provider: string
  returnTo: string
  /** The way to {@link returnTo} once more, as our links carry it. */
  again: Record<string, string>
}

interface SignInErrorOptions {
  cause?: unknown
  detail?: FailureDetail
  wayOut?: WayOut
  /** The parameter that is wrong, by its name in our own schema. */
  parameter?: string | undefined
  status?: (typeof SIGN_IN_ERRORS)[SignInErrorCode] | 414 | 431
}

/** A person must be told: becomes a page with a reference, or JSON for who asks for JSON. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: SignInErrorCode
  readonly status
  readonly detail: FailureDetail
  readonly wayOut: WayOut | undefined
  readonly parameter: string | undefined

  constructor(code: SignInErrorCode, options: SignInErrorOptions = {}) {
    super(code, { cause: options.cause })
    this.code = code
    this.status = options.status ?? SIGN_IN_ERRORS[code]
    this.detail = options.detail ?? {}
    this.wayOut = options.wayOut
    this.parameter = options.parameter
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

/** The errors of RFC 6749 §5.2 and its extensions, and the status each is told with. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'

interface OAuthErrorOptions {
  cause?: unknown
  /** The scheme to answer 401 with, if any was tried or expected. */
  challenge?: 'Basic' | 'Bearer'
  /** Nothing was shown at all: there is no error to name (RFC 6750 §3.1). */
  isSilent?: boolean
  /** Nothing is wrong but how often it is asked. */
  isTooMany?: boolean
}

/** A client called an endpoint wrongly: becomes JSON, with 401 and a challenge where credentials are the matter. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly challenge: 'Basic' | 'Bearer' | undefined
  readonly isSilent: boolean
  readonly isTooMany: boolean

  constructor(code: OAuthErrorCode, text: string, options: OAuthErrorOptions = {}) {
    super(text, { cause: options.cause })
    this.code = code
    this.challenge = options.challenge
    this.isSilent = options.isSilent ?? false
    this.isTooMany = options.isTooMany ?? false
  }
}

/** A redirect URI found, letter for letter, among those its client registered. */
export type RegisteredRedirectUri = string & { readonly [registered]: true }
declare const registered: unique symbol

/** How the answer to an authorization request travels. */
export interface AnswerAddress {
  redirectUri: RegisteredRedirectUri
  responseMode: 'query' | 'form_post'
  state: string | undefined
}

/** An authorization request is wrong after its client and redirect URI are known: they are told. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: string
  readonly address: AnswerAddress

  constructor(code: string, text: string, address: AnswerAddress) {
    super(text)
    this.code = code
    this.address = address
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
