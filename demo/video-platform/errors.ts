import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { StandInEnv } from './platform.ts'

/** Told to the person on a page of the platform; the app never hears of it. */
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

/** Told to the app by the token and revocation endpoints (RFC 6749 §5.2, but see the status). */
export class OAuthError extends Error {
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

/** Told to the app by user info, in its own envelope. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string

  constructor(status: ContentfulStatusCode, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The class of an error is its audience: each is answered where its audience reads. */
export function answerError(error: Error, c: Context<StandInEnv>): Response {
  if (error instanceof PageError) return answerPageError(error, c)
  if (error instanceof OAuthError) return answerOAuthError(error, c)
  if (error instanceof ApiError) return answerApiError(error, c)
  return c.text(`The stand-in itself failed: ${error.message}`, 500)
}

function answerPageError({ error, errorType, errCode }: PageError, c: Context<StandInEnv>) {
  const details = new URLSearchParams({ error, error_type: errorType })
  if (errCode !== undefined) details.set('errCode', String(errCode))
  details.set('logid', c.get('logId'))
  return c.redirect(`/v2/auth/error?${details}`, c.req.method === 'POST' ? 303 : 302)
}

function answerOAuthError({ error, message }: OAuthError, c: Context<StandInEnv>) {
  const inRfcWords = error === 'invalid_client' ? 401 : 400
  const { oauthErrorStatus } = c.get('platform').switches
  const body = { error, error_description: message, log_id: c.get('logId') }
  return c.json(body, oauthErrorStatus === 'rfc' ? inRfcWords : 200)
}

function answerApiError({ status, code, message }: ApiError, c: Context<StandInEnv>) {
  return c.json({ error: { code, message, log_id: c.get('logId') } }, status)
}
