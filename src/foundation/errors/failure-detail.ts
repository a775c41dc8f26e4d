/** The bugs of a deployment's own provider. */
type FailureEvent =
  | 'profile_callback_failed'
  | 'account_callback_failed'
  | 'provider_callback_failed'

/** What the log may contain about a failure. Never a code, token, state or profile. */
export interface FailureDetail<Event extends string = FailureEvent> {
  provider?: string
  /** The provider's error code. */
  upstreamError?: string
  upstreamErrorType?: string
  upstreamStatus?: number
  /** TikTok's support asks for it. */
  logId?: string
  hint?: string
  /** What the log calls the failure, if it has a name of its own. */
  event?: Event
  /** The stack of a bug. */
  cause?: string
}

/** In the hint about a response whose times are too far from ours. */
export const CLOCK_HINT = "the provider's clock"

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
