import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { StandInEnv } from './platform.ts'

/** Shown to the user on a page of the platform. The app is not notified. */
export class PageError extends Error {
  readonly error: string
  readonly errorType: string
  readonly errCode: number | undefined

  constructor(error: string, errorType: string, errCode?: number) {
    super(`${error}: ${errorType}`)
    this.error = error
    this.errorType = errorType
    this.errCode = errCode
  }
}

/**
 * Returned to the app by the token, revocation and QR endpoints (RFC 6749 §5.2, except for the
 * status).
 */
export class OAuthError extends Error {
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

/** Returned to the app by the user info endpoint, in that endpoint's own format. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string

  constructor(status: ContentfulStatusCode, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The class of an error determines who receives it, and in which format. */
export function respondWithError(error: Error, c: Context<StandInEnv>): Response {
  if (error instanceof PageError) return redirectToErrorPage(error, c)
  if (error instanceof OAuthError) return respondWithOAuthError(error, c)
  if (error instanceof ApiError) return respondWithApiError(error, c)
  return c.text(`The stand-in itself failed: ${error.message}`, 500)
}

function redirectToErrorPage({ error, errorType, errCode }: PageError, c: Context<StandInEnv>) {
  const details = new URLSearchParams({ error, error_type: errorType })
  if (errCode !== undefined) details.set('errCode', String(errCode))
  details.set('logid', c.get('logId'))
  return c.redirect(`/v2/auth/error?${details}`, c.req.method === 'POST' ? 303 : 302)
}

function respondWithOAuthError({ error, message }: OAuthError, c: Context<StandInEnv>) {
  const rfcStatus = error === 'invalid_client' ? 401 : 400
  const { oauthErrorStatus } = c.get('platform').switches
  const body = { error, error_description: message, log_id: c.get('logId') }
  return c.json(body, oauthErrorStatus === 'rfc' ? rfcStatus : 200)
}

function respondWithApiError({ status, code, message }: ApiError, c: Context<StandInEnv>) {
  return c.json({ error: { code, message, log_id: c.get('logId') } }, status)
}
