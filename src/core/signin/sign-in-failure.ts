import { digest } from '../../foundation/crypto/digest.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import {
  recordStrangersFailure,
  recordUsersFailure,
  type SignInOrigin,
} from '../audit/user-events.ts'
import { CallbackError, callbackErrorCode } from '../callbacks/callback-error.ts'
import { afterResponse, emitEvent } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { useDigestOnce } from '../limits/use-once.ts'
import { countSignIn } from '../metrics/count.ts'
import { BLOCKED_IN_OBJECT } from '../session/open-session.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import type { SignInMethod } from '../upstream/sign-in-methods.ts'
import type { Attempt } from './attempt.ts'

/** Reports a failed sign-in to the deployment, with the code that the user sees. */
export function reportFailure(c: AppContext, { id }: SignInMethod, error: unknown): void {
  emitEvent(c, 'signInFailed', {
    provider: id,
    code: failureCode(error),
    reference: c.get('requestId'),
  })
}

interface Failure {
  error: unknown
  origin: SignInOrigin
  attempt: Attempt
}

/**
 * Records a failed sign-in after the response. Only the failure of an attempt that was started here
 * is recorded; otherwise anyone could fill the table.
 */
export function auditFailure(
  c: AppContext,
  { id }: SignInMethod,
  { error, origin, attempt }: Failure,
): void {
  const userId = attempt.linkTo
  const outcome = failureCode(error)
  // Already recorded, together with the user, by the transaction that found the user.
  if (outcome === 'user_blocked' && userId === undefined && !isBlockedInObject(error)) return
  const entry = {
    ...origin,
    actor: userId ?? 'anonymous',
    subject: userId,
    provider: id,
    outcome,
    detail: providerError(error),
  }
  afterResponse(c, recordFirstFailure(c, attempt, entry))
}

/**
 * A failed attempt can be sent again with its cookie. Only its first failure is recorded; all of them
 * while this is not known.
 */
async function recordFirstFailure(
  c: AppContext,
  { state, expiresAt }: Attempt,
  entry: Parameters<typeof recordUsersFailure>[2],
): Promise<void> {
  const failed = { digest: await digest(state), expiresAt }
  const isFirst = await useDigestOnce(c.env, 'failures', failed).catch(() => true)
  if (!isFirst) return
  countSignIn('failed')
  const record = entry.subject === undefined ? recordStrangersFailure : recordUsersFailure
  await record(c.env, c.get('config'), entry)
}

function isBlockedInObject(error: unknown): boolean {
  return error instanceof SignInError && error.detail.hint === BLOCKED_IN_OBJECT
}

/** The error that the provider reported, or what is wrong with its response. */
function providerError(error: unknown): string | undefined {
  if (!(error instanceof SignInError)) return undefined
  const { upstreamError, upstreamErrorType, hint } = error.detail
  const reported = [upstreamError, upstreamErrorType].filter(Boolean).join(' ')
  return reported || (error.code === 'provider_invalid' ? hint : undefined)
}

function failureCode(error: unknown): string {
  if (error instanceof CallbackError) return callbackErrorCode(error)
  return error instanceof SignInError ? error.code : 'internal'
}

/** An error that the user can recover from, if it is one. */
export function toRecoverableError(error: unknown): SignInError | undefined {
  if (error instanceof UnavailableError) {
    const { hint } = error
    const detail = { cause: String(error.cause), ...(hint && { hint }) }
    return new SignInError('unavailable', { cause: error, detail })
  }
  return error instanceof SignInError ? error : undefined
}
