import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_FUSIONAUTH_ISSUER` is the issuer of the tenant's settings, which must be the tenant's
 * address.
 *
 * {@link https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/}
 */
export function FusionAuth(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'fusionauth',
      name: 'FusionAuth',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      registration: { idName: 'Client Id' },
      style: { brandColor: '#f58320', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M118 0a16 21 0 00-15 17 17 18 0 0020 16 14 21 0 0014-17A17 19 0 00118 0M94 11A123 115 0 005 125a6 5 0 0010 4l4-4a102 100 0 0150-88 103 89 0 0127-11m81-3a17 9 0 00-9 8l2 6a93 99 0 0148 115l12 7A119 116 0 00179 25M120 62a62 62 0 100 125 62 62 0 000-125m1 14a48 48 0 0133 82 48 48 0 11-34-82m1 23c-15 0-20 18-8 26l-4 22a3 2 0 002 3h19a0 2 0 001-4l-4-21q6-3 7-12a15 15 0 00-14-14M21 162a26 20 0 00-11 16 17 17 0 0018 17 16 21 0 0016-19 19 26 0 00-21-14m185 0a23 22 0 00-12 16 17 21 0 0018 17 18 16 0 0016-16 18 18 0 00-12-17M47 194l-7 6-6 2a116 116 0 00143 23 7 7 0 00-4-13h-1a101 98 0 01-101 1 109 109 0 01-25-19'
