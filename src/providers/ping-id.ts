import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_PING_ID_ISSUER` is `https://auth.pingone.com/<environment id>/as`, with the domain of the
 * region.
 *
 * {@link https://developer.pingidentity.com/pingone-api/auth/openid-connect-oauth-2/discovery-openid-configuration.html}
 */
export function PingId(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'ping-id',
      name: 'Ping Identity',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      registration: { url: 'https://console.pingone.com' },
      style: { brandColor: '#b3282d' },
    },
    options,
  )
}
