import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { HttpProblem, notFound } from '../../administration/http-problem.ts'
import { RotationTooEarlyError } from '../../administration/rotation-too-early-error.ts'
import { ConfigurationError } from '../../core/config/configuration-error.ts'
import { describeMissingParts } from '../../core/config/required-parts.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { errorResponse, logUnavailable, reportBug } from '../../core/pages/error-response.tsx'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import { UnavailableError } from '../../core/storage/unavailable-error.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { formatProblem, type Problem } from '../../foundation/values/problem.ts'

/** Responds to an error: the API with `application/problem+json` (RFC 9457), the console with a page. */
export function adminErrorResponse(error: Error, c: AppContext): Response | Promise<Response> {
  return /^\/admin\/api(\/|$)/.test(c.req.path)
    ? problemResponse(error, c)
    : errorResponse(error, c)
}

function problemResponse(error: Error, c: AppContext): Response {
  const { status, message, problems } = toProblem(c, error)
  if (status === 429) c.header('Retry-After', '60')
  if (status === 503) c.header('Retry-After', '10')
  return c.json(
    {
      type: 'about:blank',
      title: TITLES[status] ?? 'Bad Request',
      status,
      detail: message,
      ...(problems.length > 0 && { problems }),
      request_id: c.get('requestId'),
    },
    status,
    { 'Content-Type': 'application/problem+json' },
  )
}

/** The phrases of RFC 9110 §15, which `about:blank` requires as titles. */
const TITLES: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The status for problems that are not solved by correcting the request. */
const REGISTRATION_STATUS: Partial<Record<Problem['code'], ContentfulStatusCode>> = {
  not_found: 404,
  exists: 409,
  read_only: 409,
}

function toProblem(c: AppContext, error: Error): HttpProblem {
  if (error instanceof HttpProblem) return error
  if (error instanceof RegistrationError) return registrationProblem(error)
  if (error instanceof RotationTooEarlyError) return new HttpProblem(409, error.message)
  if (error instanceof OAuthError) return new HttpProblem(error.status, error.message)
  if (error instanceof SignInError) {
    addToLog(c, { code: error.code })
    return error.code === 'not_found' ? notFound() : new HttpProblem(error.status, error.code)
  }
  if (error instanceof UnavailableError) {
    addToLog(c, { code: 'unavailable' })
    logUnavailable(c, error)
    return new HttpProblem(
      503,
      'Storage did not respond. A change may be incomplete; repeat the request to complete it.',
    )
  }
  if (error instanceof ConfigurationError) {
    addToLog(c, { code: 'configuration', cause: error.problems.map(formatProblem) })
    const missing = describeMissingParts(error)
    if (missing.length > 0) return new HttpProblem(503, missing.join(' '))
  } else {
    addToLog(c, { code: 'internal', cause: error.stack ?? String(error) })
    reportBug(c, error)
  }
  return new HttpProblem(500, 'The service failed. The log has the reason under the request_id.')
}

function registrationProblem({ message, problems }: RegistrationError): HttpProblem {
  const status = problems[0] && REGISTRATION_STATUS[problems[0].code]
  if (status) return new HttpProblem(status, message)
  return new HttpProblem(400, 'The registration is invalid.', problems)
}
