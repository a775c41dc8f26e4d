import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_UNITED_EFFECTS_ISSUER` is the issuer of the auth group, which also is the requested
 * resource.
 *
 * {@link https://docs.unitedeffects.com/integrations/nextauthjs}
 */
export function UnitedEffects(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'united-effects',
      name: 'United Effects',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      authorization: {
        params: {
          scope: 'openid profile email',
          ...(options.issuer && { resource: options.issuer }),
        },
      },
      checks: ['pkce', 'nonce'],
      style: { brandColor: '#2b3a55' },
    },
    options,
  )
}
