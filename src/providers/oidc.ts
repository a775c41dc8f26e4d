import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * Any OpenID Connect provider. `AUTH_OIDC_ISSUER` is its issuer, `AUTH_OIDC_NAME` the name on its
 * button. With `AUTH_OIDC_USERINFO`, the profile is read from its userinfo endpoint.
 */
export function Oidc(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'oidc',
      name: 'Single sign-on',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
    },
    options,
  )
}
