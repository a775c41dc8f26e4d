import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_AUTH0_ISSUER` is `https://<tenant>.auth0.com/`, or a custom domain.
 *
 * {@link https://auth0.com/docs/authenticate}
 */
export function Auth0(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'auth0',
      name: 'Auth0',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      registration: { url: 'https://manage.auth0.com' },
      style: { brandColor: '#eb5424', logo: logo('black', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M21.98 7.45 19.62 0H4.35L2.02 7.45a10.9 10.9 0 0 0 3.82 12.01L12 24l6.15-4.55a10.9 10.9 0 0 0 3.82-12.02l-6.16 4.58 2.34 7.45-6.15-4.6-6.16 4.59L8.2 12 2 7.46l7.64-.04L12 0l2.35 7.4z'
