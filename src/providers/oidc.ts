import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * Any OpenID Connect provider. `AUTH_OIDC_NAME` is the name on its button. With
 * `AUTH_OIDC_USERINFO=on`, the profile is read from the userinfo endpoint, for providers whose ID
 * token does not contain it; the default is `off`.
 */
export function Oidc(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'oidc',
      name: 'SSO',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
    },
    options,
  )
}
