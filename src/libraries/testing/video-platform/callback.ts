import type { AuthorizationRequest } from './authorization-request.ts'
import { issueCode, recordGrant } from './grants.ts'
import type { Persona } from './personas.ts'
import type { Grant, Platform } from './platform.ts'
import { BASIC } from './scopes.ts'

/**
 * Records the grant and returns the callback URL with a code. The basic scope is always granted.
 */
export function grantRequest(
  platform: Platform,
  request: AuthorizationRequest,
  consent: { persona: Persona; scopes: readonly string[] },
): string {
  const scopes = request.scopes.filter((scope) => scope === BASIC || consent.scopes.includes(scope))
  const { clientKey } = request.app
  const { handle } = consent.persona
  const grant = recordGrant(platform, { clientKey, handle, scopes, since: platform.now() })
  return callbackWithCode(platform, request, { grant, scopes })
}

/** Returns the callback URL with a code when an earlier grant covers all requested scopes. */
export function reuseGrant(
  platform: Platform,
  request: AuthorizationRequest,
  grant: Grant,
): string {
  return callbackWithCode(platform, request, { grant, scopes: request.scopes })
}

/** Returns the callback URL with an error when the user cancels or may not log in. */
export function denyRequest(
  request: AuthorizationRequest,
  reason: { error_type?: string; error_description: string },
): string {
  return callbackUrl(request, { error: 'access_denied', ...reason })
}

function callbackWithCode(
  platform: Platform,
  request: AuthorizationRequest,
  granted: { grant: Grant; scopes: readonly string[] },
): string {
  const { redirectUri, pkce } = request
  const code = issueCode(platform, { ...granted, redirectUri, pkce })
  return callbackUrl(request, { code, scopes: granted.scopes.join(',') })
}

function callbackUrl({ redirectUri, state }: AuthorizationRequest, result: Record<string, string>) {
  const parameters = state === undefined ? result : { ...result, state }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`)
  return `${redirectUri}?${query.join('&')}`
}

/** Like the platform: a space is `%20`, and the `!` and `*` of a code are encoded too. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll('!', '%21').replaceAll('*', '%2A')
}
