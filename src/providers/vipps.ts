import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_VIPPS_ISSUER` is needed for the test environment only:
 * `https://apitest.vipps.no/access-management-1.0/access/`.
 *
 * {@link https://developer.vippsmobilepay.com/docs/APIs/login-api/api-guide/core-concepts}
 */
export function Vipps(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'vipps',
      name: 'Vipps MobilePay',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      issuer: 'https://api.vipps.no/access-management-1.0/access/',
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: { params: { scope: 'openid name email' } },
      checks: ['pkce', 'nonce'],
      // The ID token lacks the profile.
      idToken: false,
      sendsAuthTime: false,
      promptParams: {},
      registration: {
        url: 'https://portal.vippsmobilepay.com',
        idName: 'client_id',
        secretName: 'client_secret',
      },
      style: { brandColor: '#ff5b24' },
    },
    options,
  )
}
