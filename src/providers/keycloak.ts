import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_KEYCLOAK_ISSUER` is `https://<host>/realms/<realm>`.
 *
 * {@link https://www.keycloak.org/docs/latest/server_admin/#_oidc_clients}
 */
export function Keycloak(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'keycloak',
      name: 'Keycloak',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      style: { brandColor: '#4d4d4d', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M18.74 1.18H6.24L0 12q3.11 5.42 6.25 10.82h12.5l3.08-5.41H24V6.59h-2.17zM8.33 4.8h2.08l1.04 1.8-3.12 5.42 3.11 5.4-1.03 1.8H8.33l-4.17-7.2zm6.24 0h2.08l4.17 7.23-4.17 7.2h-2.08a30 30 0 0 1-1.04-1.81l3.13-5.4-3.13-5.42z'
