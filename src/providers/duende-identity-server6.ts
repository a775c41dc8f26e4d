import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * The profile is read from the userinfo endpoint: by default the ID token does not contain it.
 *
 * {@link https://docs.duendesoftware.com/identityserver/v7/fundamentals/claims}
 */
export function DuendeIdentityServer6(
  options: OIDCUserConfig<OIDCProfile> = {},
): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'duende-identity-server6',
      name: 'Duende IdentityServer',
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
