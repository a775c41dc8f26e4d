import type { AuthorizationRequest } from './authorization-request.ts'
import { issueCode, recordGrant } from './grants.ts'
import type { Persona } from './personas.ts'
import type { Grant, Platform } from './platform.ts'
import { BASIC } from './scopes.ts'

/** Where the browser goes after a person said yes to some of the scopes, and to basic always. */
export function allow(
  platform: Platform,
  request: AuthorizationRequest,
  consent: { persona: Persona; scopes: readonly string[] },
): string {
  const scopes = request.scopes.filter((scope) => scope === BASIC || consent.scopes.includes(scope))
  const { clientKey } = request.app
  const { handle } = consent.persona
  const grant = recordGrant(platform, { clientKey, handle, scopes, since: platform.now() })
  return returnWithCode(platform, request, { grant, scopes })
}

/** Where the browser goes when an earlier grant already covers everything asked for. */
export function allowAgain(
  platform: Platform,
  request: AuthorizationRequest,
  grant: Grant,
): string {
  return returnWithCode(platform, request, { grant, scopes: request.scopes })
}

/** Where the browser goes when a person may not, or does not want to, log in. */
export function refuse(
  request: AuthorizationRequest,
  reason: { error_type?: string; error_description: string },
): string {
  return returnTo(request, { error: 'access_denied', ...reason })
}

function returnWithCode(
  platform: Platform,
  request: AuthorizationRequest,
  granted: { grant: Grant; scopes: readonly string[] },
): string {
  const { redirectUri, pkce } = request
  const code = issueCode(platform, { ...granted, redirectUri, pkce })
  return returnTo(request, { code, scopes: granted.scopes.join(',') })
}

function returnTo({ redirectUri, state }: AuthorizationRequest, answer: Record<string, string>) {
  const parameters = state === undefined ? answer : { ...answer, state }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`)
  return `${redirectUri}?${query.join('&')}`
}

/** The platform also encodes the `!` and `*` that `encodeURIComponent` leaves alone. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll('!', '%21').replaceAll('*', '%2A')
}
