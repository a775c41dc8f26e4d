import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_ZITADEL_ISSUER` is the URL of the instance. The profile is read from the userinfo
 * endpoint: the ID token does not contain it.
 *
 * {@link https://zitadel.com/docs/apis/openidoauth/claims}
 */
export function ZITADEL(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'zitadel',
      name: 'ZITADEL',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      idToken: false,
      registration: { idName: 'Client ID' },
      style: { brandColor: '#000000' },
    },
    options,
  )
}
