import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_AUTHENTIK_ISSUER` is `https://<host>/application/o/<slug>/`, with the slash at the end.
 *
 * {@link https://goauthentik.io/docs/providers/oauth2}
 */
export function Authentik(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'authentik',
      name: 'authentik',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      style: { brandColor: '#fd4b2d', logo: logo('black', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M13.96 9.01h-.84V7.49h-1.23v3.66H5.72c.34.52.54.99.54 1.16 0 .46-1.44 3.06-3.2 3.06-2.26.06-3.8-2.57-2.69-4.51a3.1 3.1 0 0 1 2.7-1.61c1.03 0 1.96.91 2.55 1.75V6.58A3.77 3.77 0 0 1 9.39 2.8h10.84C22.31 2.8 24 4.5 24 6.58v10.84a3.77 3.77 0 0 1-3.77 3.77h-1.6V17.5h-7.64v3.7h-1.6a3.77 3.77 0 0 1-3.77-3.78v-3.4h12.11V7.48h-1.59v.9h-.84v-.9h-1.34zM4 10.86c-.66-.7-1.57-.55-2.2 0-2.11 2.05 1.33 5.55 3.3 1.44A5 5 0 0 0 4 10.85'
