import * as oauth from 'oauth4webapi'
import { type FailureDetail, reported, SignInError, type SignInErrorCode } from '../errors.ts'
import { isPassing } from './bounded-fetch.ts'

/** What an upstream failure means for the person in front of the screen. */
export function refusal(cause: unknown): SignInError {
  if (cause instanceof SignInError) return cause
  if (cause instanceof oauth.ResponseBodyError) return refusedCode(cause)
  const response = responseOf(cause)
  if (response) {
    const code = isPassing(response.status) ? 'provider_unavailable' : 'provider_invalid'
    return new SignInError(code, { cause, detail: { upstreamStatus: response.status } })
  }
  const code = NONSENSE.some((kind) => cause instanceof kind)
    ? 'provider_invalid'
    : 'provider_unavailable'
  return new SignInError(code, { cause, detail: hint(cause) })
}

/** An answer that we object to, and why, in words without any of it. */
export function refused(hint: string): SignInError {
  return new SignInError('provider_invalid', { detail: { hint } })
}

/** What we object to in an answer. Whatever else is thrown is a dead or slow connection. */
const NONSENSE = [
  oauth.OperationProcessingError,
  oauth.UnsupportedOperationError,
  SyntaxError,
  RangeError,
]

/** The browser came back with an error. `error_type` is the platform's own, finer word for it. */
export function refusedCallback(error: string, errorType: string | undefined): SignInError {
  const detail = reported({ upstreamError: error, upstreamErrorType: errorType })
  if (errorType === 'non_sandbox_target') return new SignInError('not_eligible', { detail })
  const code = errorType === undefined ? MEANINGS.get(error) : undefined
  return new SignInError(code ?? 'provider_refused', { detail })
}

/** The token endpoint answered with an error. */
function refusedCode(cause: oauth.ResponseBodyError): SignInError {
  const detail = {
    ...reported({ upstreamError: cause.error, logId: cause.cause['log_id'] }),
    upstreamStatus: cause.status,
  }
  if (isPassing(cause.status)) return new SignInError('provider_unavailable', { cause, detail })
  return new SignInError(MEANINGS.get(cause.error) ?? 'provider_refused', { cause, detail })
}

/** What the words of a callback or of a token endpoint mean. */
const MEANINGS = new Map<string, SignInErrorCode>([
  ['server_error', 'provider_unavailable'],
  ['temporarily_unavailable', 'provider_unavailable'],
  ['access_denied', 'access_denied'],
  ['invalid_grant', 'code_expired'],
  // GitHub's and Slack's words for it.
  ['bad_verification_code', 'code_expired'],
  ['invalid_code', 'code_expired'],
])

/** oauth4webapi's messages name the fault and hold no values; others' may hold anything. */
function hint(cause: unknown): FailureDetail {
  return cause instanceof oauth.OperationProcessingError ? { hint: cause.message } : {}
}

function responseOf(cause: unknown): Response | undefined {
  if (cause instanceof Response) return cause
  const inner = cause instanceof Error ? cause.cause : undefined
  return inner instanceof Response ? inner : undefined
}
