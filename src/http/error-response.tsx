import { HTTPException } from 'hono/http-exception'
import { isLoopback } from '../config/loopback.ts'
import {
  AuthorizationError,
  ConfigurationError,
  OAuthError,
  type OAuthErrorCode,
  SignInError,
  type SignInErrorCode,
  type WayOut,
} from '../errors.ts'
import { ErrorPage } from '../pages/error-page.tsx'
import type { AppContext } from './app-env.ts'
import { answer } from './authorization-response.tsx'
import { messagesFor, respondWithPage, wantsPage } from './page-response.tsx'
import { note } from './request-log.ts'

/** Seconds after which a person or a client may try again what failed for a passing reason. */
const RETRY_AFTER: Record<number, string> = { 503: '10', 429: '60' }

/** The one place where an error becomes an answer: a page for people, JSON for programs. */
export function errorResponse(thrown: Error, c: AppContext): Response | Promise<Response> {
  if (thrown instanceof OAuthError) return tellClient(c, thrown)
  if (thrown instanceof AuthorizationError) {
    note(c, { code: thrown.code })
    return answer(c, thrown.address, { error: thrown.code, error_description: thrown.message })
  }
  const error = thrown instanceof SignInError ? thrown : unexpected(thrown, c)
  note(c, { ...error.detail, code: error.code, ...(error.wayOut && { event: 'signin_failed' }) })

  setRetryAfter(c, error.status)
  return tell(c, error, problemsFor(thrown, c))
}

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2}, and RFC 6750 §3 for who shows a token. */
function tellClient(c: AppContext, error: OAuthError): Response {
  const { code, challenge, isSilent, isTooMany, message } = error
  note(c, { code })
  const isUnauthorized = code === 'invalid_client' || code === 'invalid_token'
  const status = isTooMany ? 429 : isUnauthorized ? 401 : (STATUS[code] ?? 400)
  setRetryAfter(c, status)
  if (challenge === 'Basic' && status === 401)
    c.header('WWW-Authenticate', 'Basic realm="vestibule"')
  if (challenge === 'Bearer') {
    const scope = code === 'insufficient_scope' ? ', scope="openid"' : ''
    c.header(
      'WWW-Authenticate',
      isSilent ? 'Bearer' : `Bearer error="${code}", error_description="${message}"${scope}`,
    )
  }
  return c.json({ error: code, error_description: message }, status as 400)
}

function setRetryAfter(c: AppContext, status: number): void {
  const seconds = RETRY_AFTER[status]
  if (seconds) c.header('Retry-After', seconds)
}

const STATUS: Partial<Record<OAuthErrorCode, number>> = {
  insufficient_scope: 403,
  temporarily_unavailable: 503,
}

/** The page that explains a code to who asks for it. Nothing has gone wrong with that request. */
export function explain(c: AppContext, code: SignInErrorCode): Response | Promise<Response> {
  return tell(c, { code, status: 200 })
}

interface Telling {
  code: SignInErrorCode
  status: number
  wayOut?: WayOut | undefined
  parameter?: string | undefined
}

function tell(
  c: AppContext,
  { code, status, wayOut, parameter }: Telling,
  problems: readonly string[] = [],
): Response | Promise<Response> {
  const reference = c.get('requestId')
  const messages = messagesFor(c)
  const { title, text } = messages.errors[code]
  if (!wantsPage(c)) {
    const more = { ...(parameter && { parameter }), ...(problems.length > 0 && { problems }) }
    return c.json({ error: code, error_description: text, reference, ...more }, status as 400)
  }
  const recovery = wayOut && { ...wayOut, returnParams: wayOut.again }
  const props = { code, messages, reference, problems, recovery }
  return respondWithPage(c, <ErrorPage {...props} />, { title, status })
}

/** Our bug, or the operator's: the detail goes to the log and to nobody else. */
function unexpected(error: Error, c: AppContext): SignInError {
  // Hono's word for a body it cannot read.
  if (error instanceof HTTPException) return new SignInError('request_invalid', { cause: error })
  if (error instanceof ConfigurationError) {
    note(c, { trouble: error.problems })
    return new SignInError('configuration')
  }
  note(c, { trouble: error.stack ?? String(error) })
  return new SignInError('internal')
}

/** Who develops on this machine may read what is wrong; strangers may not. */
function problemsFor(error: Error, c: AppContext): readonly string[] {
  return error instanceof ConfigurationError && isLoopback(c.req.url) ? error.problems : []
}
