import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_ASGARDEO_ISSUER` is `https://api.asgardeo.io/t/<organization>/oauth2/token`. The ID token
 * has the attributes that are selected in the application.
 *
 * {@link https://wso2.com/asgardeo/docs/guides/authentication/oidc/discover-oidc-configs}
 */
export function Asgardeo(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'asgardeo',
      name: 'Asgardeo',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      registration: { url: 'https://console.asgardeo.io' },
      style: { brandColor: '#ff7300' },
    },
    options,
  )
}
