import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * Not supported by its authors since 2022. The profile is read from the userinfo endpoint: by
 * default the ID token does not contain it.
 *
 * {@link https://identityserver4.readthedocs.io/en/latest/}
 */
export function IdentityServer4(
  options: OIDCUserConfig<OIDCProfile> = {},
): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'identity-server4',
      name: 'IdentityServer4',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      idToken: false,
      style: { brandColor: '#2c5aa0' },
    },
    options,
  )
}
