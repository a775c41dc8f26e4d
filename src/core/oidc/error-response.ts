import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { challenge } from '../../foundation/resource-server/token-error.ts'
import { CallbackError } from '../callbacks/callback-error.ts'
import { ClientMetadataError } from '../client-metadata/client-metadata-error.ts'
import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import { count } from '../metrics/count.ts'
import type { Counters } from '../metrics/metric-table.ts'
import {
  errorResponse,
  logCallbackError,
  logUnavailable,
  setRetryAfter,
} from '../pages/error-response.tsx'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { AuthorizationError } from './authorization-error.ts'
import { authorizationResponse } from './authorization-response.tsx'
import { userinfoMetadata } from './protected-resources.ts'

/** For endpoints that browsers open: the client is informed if its redirect URI is known. */
export async function browserEndpointError(error: Error, c: AppContext): Promise<Response> {
  if (error instanceof OAuthError) return oauthErrorResponse(c, error)
  if (!(error instanceof AuthorizationError)) return errorResponse(error, c)
  addToLog(c, { code: error.code })
  for (const feature of c.get('config').features) {
    const page = await feature.errors?.page?.(c, error)
    if (page) return page
  }
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
  if (error instanceof ClientMetadataError) {
    addToLog(c, { cause: error.message })
    return oauthErrorResponse(c, unreadableClient(error))
  }
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
  const { code, status, message, isExpected } = error
  addToLog(c, { code })
  if (c.req.path === '/oidc/token' && !isExpected) {
    count<Counters>('vestibule_token_errors_total', { error: code })
  }
  setRetryAfter(c, status)
  const header = authenticateHeader(c, error)
  if (header) c.header('WWW-Authenticate', header)
  return c.json({ error: code, error_description: message }, status)
}

/** Only userinfo accepts access tokens. */
function authenticateHeader(c: AppContext, error: OAuthError): string | undefined {
  const { code, status, challenge: scheme, hasNoCredentials, message } = error
  if (scheme === 'Basic') return status === 401 ? 'Basic realm="vestibule"' : undefined
  if (scheme === undefined) return undefined
  const parameters = {
    scope: code === 'insufficient_scope' ? 'openid' : undefined,
    ...error.parameters,
    resource_metadata: userinfoMetadata(c.get('config')).url,
  }
  return challenge(hasNoCredentials ? 'token_missing' : code, message, { parameters, scheme })
}

/** Clients that get `invalid_client` drop their tokens, which they may need again. */
function unreadableClient({ reason }: ClientMetadataError): OAuthError {
  return reason === 'invalid'
    ? new OAuthError('invalid_client', 'The metadata that the client publishes are invalid.')
    : new OAuthError('temporarily_unavailable', 'The metadata of the client cannot be read now.')
}

function toOAuthError({ isTimeout }: CallbackError): OAuthError {
  return isTimeout
    ? new OAuthError('temporarily_unavailable', 'The service is unavailable: try again.')
    : new OAuthError('server_error', 'The service is misconfigured: inform its operator.')
}
