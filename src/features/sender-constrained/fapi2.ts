import * as z from 'zod/mini'
import type { ClientContext } from '../../core/registration-schemas/client-problems.ts'
import { CLIENT_GRANT_TYPES, type Registration } from '../../core/registration-schemas/clients.ts'
import { fieldReader } from '../../core/registration-schemas/deployment-schemas.ts'
import { hasWildcard } from '../../core/registration-schemas/wildcard.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { readClientFields } from './registration-fields.ts'

/** How these clients may sign what they send (FAPI 2.0 §5.4.1). */
export const FAPI2_ALGORITHMS = ['ES256', 'PS256', 'EdDSA', 'Ed25519']

/** What `providerTokens()` adds. */
const readOtherFields = fieldReader({ upstream_tokens: z._default(z.array(z.string()), []) })

/** Whether a client has the profile `fapi2`. */
export function isFapi2(client: object): boolean {
  return readClientFields(client).profile === 'fapi2'
}

/** What the profile requires, whatever else the registration says. */
export function implyFapi2(client: Registration) {
  if (!isFapi2(client)) return undefined
  return {
    require_pkce: true,
    require_pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
    assertionAlgorithms: FAPI2_ALGORITHMS,
  }
}

/**
 * What the registration of a client with the profile `fapi2` lacks,
 * {@link https://openid.net/specs/fapi-security-profile-2_0-final.html#section-5.3.2}. The profile
 * itself requires pushed requests, bound tokens and PKCE; codes, `iss` and `request_uri` are the same
 * for all clients.
 */
export function findFapi2Problems(
  client: Registration,
  { isDevelopment }: Pick<ClientContext, 'isDevelopment'>,
): Problem[] {
  if (!isFapi2(client)) return []
  const { token_endpoint_auth_method: method, jwks, jwks_uri, redirect_uris } = client
  const isSecure = (uri: string) =>
    uri.startsWith('https:') || (isDevelopment && /^http:/.test(uri) && isLoopback(uri))
  const checks: [field: string, isWrong: boolean, message: string][] = [
    [
      'jwks',
      !jwks && !jwks_uri,
      'or jwks_uri is missing: the client must authenticate with a key, not with a secret.',
    ],
    [
      'jwks',
      jwks?.keys.some(({ alg }) => alg !== undefined && !FAPI2_ALGORITHMS.includes(alg)) ?? false,
      `has a key whose alg is not one of ${FAPI2_ALGORITHMS.join(', ')}.`,
    ],
    [
      'token_endpoint_auth_method',
      method !== undefined && method !== 'private_key_jwt',
      'must be private_key_jwt.',
    ],
    [
      'client_assertion_audience',
      client.client_assertion_audience !== 'issuer',
      'must be issuer: assertions may have no other aud.',
    ],
    [
      'application_type',
      client.application_type === 'native',
      'must be web: an app on a machine of a user cannot keep its key secret from them.',
    ],
    ['redirect_uris', !redirect_uris.every(isSecure), 'must be https.'],
    ['redirect_uris', redirect_uris.some(hasWildcard), 'must have no wildcard.'],
    ['require_pkce', client.require_pkce === false, 'must not be false.'],
    [
      'id_token_signed_response_alg',
      client.id_token_signed_response_alg !== 'ES256',
      'must be ES256.',
    ],
    [
      'userinfo_signed_response_alg',
      client.userinfo_signed_response_alg === 'RS256',
      'must be ES256, or not set.',
    ],
    [
      'grant_types',
      !client.grant_types.every((type) => CLIENT_GRANT_TYPES.includes(type)),
      `can only have ${CLIENT_GRANT_TYPES.join(', ')}.`,
    ],
    [
      'upstream_tokens',
      readOtherFields(client).upstream_tokens.length > 0,
      'must be empty: the tokens of a provider are not bound to a key of the client.',
    ],
  ]
  return checks
    .filter(([, isWrong]) => isWrong)
    .map(([field, , message]) => ({
      path: [field],
      code: 'invalid',
      message: `${message} The profile fapi2 requires that.`,
    }))
}
