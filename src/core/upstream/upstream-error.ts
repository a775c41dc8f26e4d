import * as oauth from 'oauth4webapi'
import {
  CLOCK_HINT,
  type FailureDetail,
  upstreamErrorDetail,
} from '../../foundation/errors/failure-detail.ts'
import { SignInError, type SignInErrorCode } from '../../foundation/errors/sign-in-error.ts'
import { isTransientStatus } from '../../provider-interface/transient-status.ts'

/** Translates any failure of an upstream step into the error the user is informed with. */
export function translateUpstreamError(cause: unknown): SignInError {
  if (cause instanceof SignInError) return cause
  if (cause instanceof oauth.AuthorizationResponseError) return rejectedAuthorization(cause)
  if (cause instanceof oauth.ResponseBodyError) return rejectedRequest(cause)
  const response = responseIn(cause)
  if (response) {
    const code = isTransientStatus(response.status) ? 'provider_unavailable' : 'provider_invalid'
    return new SignInError(code, { cause, detail: { upstreamStatus: response.status } })
  }
  const code = isInvalidResponse(cause) ? 'provider_invalid' : 'provider_unavailable'
  return new SignInError(code, { cause, detail: hintFrom(cause) })
}

/**
 * The provider's response violates a rule of ours. The hint must not contain any of the response.
 */
export function invalidResponse(hint: string): SignInError {
  return new SignInError('provider_invalid', { detail: { hint } })
}

/** A function of the deployment's own provider failed. Only the operator can correct it. */
export function callbackError(name: string, cause: unknown): SignInError {
  const stack = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause)
  const event = name === 'profile' || name === 'account' ? name : 'provider'
  const detail = {
    event: `${event}_callback_failed`,
    hint: `${name} failed.`,
    cause: stack,
  } as const
  return new SignInError('provider_misconfigured', { cause, detail })
}

/** The messages of workerd for requests that failed without a response. */
const CONNECTION_ERROR = /^(?:Network connection lost|internal error)/

/** Whether the provider, or the connection to it, is the cause of an error. */
export function isUpstreamError(cause: unknown): boolean {
  return (
    cause instanceof SignInError ||
    cause instanceof oauth.AuthorizationResponseError ||
    cause instanceof oauth.ResponseBodyError ||
    cause instanceof oauth.OperationProcessingError ||
    responseIn(cause) !== undefined ||
    (cause instanceof DOMException && cause.name === 'TimeoutError') ||
    (cause instanceof Error && CONNECTION_ERROR.test(cause.message))
  )
}

/**
 * Whether a response was received but is not acceptable. Any other error is a failed connection.
 */
function isInvalidResponse(cause: unknown): boolean {
  return (
    cause instanceof oauth.OperationProcessingError ||
    cause instanceof oauth.UnsupportedOperationError ||
    cause instanceof SyntaxError ||
    cause instanceof RangeError ||
    // WebCrypto's error for a key that cannot be imported.
    (cause instanceof DOMException && cause.name === 'DataError')
  )
}

/** The browser returned with an error. `error_type` is TikTok's more specific code. */
function rejectedAuthorization(cause: oauth.AuthorizationResponseError): SignInError {
  const errorType = cause.cause.get('error_type') ?? undefined
  const detail = upstreamErrorDetail({ error: cause.error, errorType })
  if (errorType === 'non_sandbox_target') return new SignInError('not_eligible', { detail })
  if (errorType !== undefined) return new SignInError('provider_refused', { detail })
  const { error, error_description: description = '' } = cause
  const isRejected = error === 'access_denied' && REJECTED_ACCOUNT.test(description)
  const code = isRejected ? 'account_rejected' : USER_FACING_CODES.get(error)
  return new SignInError(code ?? 'provider_refused', { detail })
}

/**
 * In the description of `access_denied`, which providers also send for a user who has cancelled
 * (RFC 6749 §4.1.2.1): words that are about the account. "Not eligible" is TikTok's documented term.
 */
const REJECTED_ACCOUNT =
  /\b(?:not eligible|ineligible|not assigned|banned|blocked|disabled|restricted|suspended|under ?age|minimum age)\b/i

/** The token or revocation endpoint responded with an error. */
function rejectedRequest(cause: oauth.ResponseBodyError): SignInError {
  const detail = {
    ...upstreamErrorDetail({ error: cause.error, logId: cause.cause['log_id'] }),
    upstreamStatus: cause.status,
  }
  const code = isTransientStatus(cause.status)
    ? 'provider_unavailable'
    : (USER_FACING_CODES.get(cause.error) ?? 'provider_refused')
  return new SignInError(code, { cause, detail })
}

/** Error codes of callbacks and token endpoints that are not the operator's fault. */
const USER_FACING_CODES = new Map<string, SignInErrorCode>([
  ['server_error', 'provider_unavailable'],
  ['temporarily_unavailable', 'provider_unavailable'],
  ['access_denied', 'access_denied'],
  ['invalid_grant', 'code_expired'],
  // GitHub's and Slack's codes for invalid_grant.
  ['bad_verification_code', 'code_expired'],
  ['invalid_code', 'code_expired'],
])

/**
 * The messages of oauth4webapi contain no values, so they may be logged; others may contain
 * anything.
 */
function hintFrom(cause: unknown): FailureDetail {
  const isOfLibrary =
    cause instanceof oauth.OperationProcessingError ||
    cause instanceof oauth.UnsupportedOperationError
  if (!isOfLibrary) return {}
  const isAboutTime = cause.code === oauth.JWT_TIMESTAMP_CHECK
  return { hint: isAboutTime ? `${cause.message}: is ${CLOCK_HINT} wrong?` : cause.message }
}

function responseIn(cause: unknown): Response | undefined {
  if (cause instanceof oauth.WWWAuthenticateChallengeError) return cause.response
  const inner = cause instanceof Error ? cause.cause : undefined
  return inner instanceof Response ? inner : undefined
}
