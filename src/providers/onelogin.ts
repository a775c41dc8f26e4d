import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_ONELOGIN_ISSUER` is `https://<subdomain>.onelogin.com/oidc/2`.
 *
 * {@link https://developers.onelogin.com/openid-connect/api/provider-config}
 */
export function OneLogin(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'onelogin',
      name: 'OneLogin',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      style: { brandColor: '#1c1f2a' },
    },
    options,
  )
}
