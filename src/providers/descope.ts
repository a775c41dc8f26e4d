import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_DESCOPE_ISSUER` is `https://api.descope.com/<project id>`.
 *
 * {@link https://docs.descope.com/identity-federation/applications/oidc-apps/oidc-endpoints}
 */
export function Descope(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'descope',
      name: 'Descope',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      registration: {
        url: 'https://app.descope.com',
        idName: 'Project ID',
        secretName: 'Access key',
      },
      style: { brandColor: '#1c1c23' },
    },
    options,
  )
}
