import { CallbackError } from '../callbacks/callback-error.ts'
import type { AppContext } from '../config/app-env.ts'
import { OAuthError } from '../errors/oauth-error.ts'
import { addToLog } from '../http/request-log.ts'
import { count } from '../metrics/count.ts'
import {
  errorResponse,
  logCallbackError,
  logUnavailable,
  setRetryAfter,
} from '../pages/error-response.tsx'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { AuthorizationError } from './authorization-error.ts'
import { authorizationResponse } from './authorization-response.tsx'

/** For endpoints that browsers open: the client is informed if its redirect URI is known. */
export async function browserEndpointError(error: Error, c: AppContext): Promise<Response> {
  if (error instanceof OAuthError) return oauthErrorResponse(c, error)
  if (!(error instanceof AuthorizationError)) return errorResponse(error, c)
  addToLog(c, { code: error.code })
  return authorizationResponse(c, error.destination, {
    error: error.code,
    error_description: error.message,
  })
}

/** For endpoints that are called by clients: failures of ours become OAuth errors too. */
export async function clientEndpointError(error: Error, c: AppContext): Promise<Response> {
  if (error instanceof CallbackError) {
    logCallbackError(c, error)
    return oauthErrorResponse(c, toOAuthError(error))
  }
  if (error instanceof OAuthError) return oauthErrorResponse(c, error)
  if (!(error instanceof UnavailableError)) return errorResponse(error, c)
  logUnavailable(c, error)
  return oauthErrorResponse(
    c,
    new OAuthError('temporarily_unavailable', 'The service is unavailable: try again.'),
  )
}

/**
 * {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2}, and RFC 6750 §3 for bearer tokens.
 */
function oauthErrorResponse(c: AppContext, error: OAuthError): Response {
  const { code, status, message } = error
  addToLog(c, { code })
  if (c.req.path === '/oidc/token') count('vestibule_token_errors_total', { error: code })
  setRetryAfter(c, status)
  const challenge = authenticateHeader(error)
  if (challenge) c.header('WWW-Authenticate', challenge)
  return c.json({ error: code, error_description: message }, status)
}

function authenticateHeader(error: OAuthError): string | undefined {
  const { code, status, challenge, hasNoCredentials, message } = error
  if (challenge === 'Basic') return status === 401 ? 'Basic realm="vestibule"' : undefined
  if (challenge === undefined) return undefined
  if (hasNoCredentials) return 'Bearer'
  const scope = code === 'insufficient_scope' ? ', scope="openid"' : ''
  return `Bearer error="${code}", error_description="${message}"${scope}`
}

function toOAuthError({ isTimeout }: CallbackError): OAuthError {
  return isTimeout
    ? new OAuthError('temporarily_unavailable', 'The service is unavailable: try again.')
    : new OAuthError('server_error', 'The service is misconfigured: inform its operator.')
}
