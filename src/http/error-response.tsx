import { HTTPException } from 'hono/http-exception'
import { isLoopback } from '../config.ts'
import { ConfigurationError, SignInError } from '../errors.ts'
import { ErrorPage } from '../pages/error-page.tsx'
import type { AppContext } from './app-env.ts'
import { messagesFor, respondWithPage, wantsPage } from './page-response.tsx'
import { note } from './request-log.ts'

/** Seconds after which a person or a client may try again what failed for a passing reason. */
const RETRY_AFTER = '10'

/** The one place where an error becomes an answer: a page for people, JSON for programs. */
export function errorResponse(thrown: Error, c: AppContext): Response | Promise<Response> {
  const error = thrown instanceof SignInError ? thrown : unexpected(thrown, c)
  note(c, { ...error.detail, code: error.code, ...(error.wayOut && { event: 'signin_failed' }) })

  if (error.status === 503) c.header('Retry-After', RETRY_AFTER)
  const reference = c.get('requestId')
  const messages = messagesFor(c)
  const { title, text } = messages.errors[error.code]
  if (!wantsPage(c)) {
    return c.json({ error: error.code, error_description: text, reference }, error.status)
  }
  return respondWithPage(
    c,
    <ErrorPage
      code={error.code}
      messages={messages}
      reference={reference}
      problems={problemsFor(thrown, c)}
      wayOut={error.wayOut}
    />,
    { title, status: error.status },
  )
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
