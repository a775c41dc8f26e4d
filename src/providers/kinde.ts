import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_KINDE_ISSUER` is `https://<subdomain>.kinde.com`.
 *
 * {@link https://docs.kinde.com/}
 */
export function Kinde(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'kinde',
      name: 'Kinde',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      registration: { url: 'https://app.kinde.com' },
      style: { brandColor: '#0f0f0f' },
    },
    options,
  )
}
