import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_VIPPS_ISSUER` is needed for the test environment only:
 * `https://apitest.vipps.no/access-management-1.0/access/`.
 *
 * {@link https://developer.vippsmobilepay.com/docs/APIs/login-api/api-guide/core-concepts}
 */
export const Vipps = oidcProvider<OIDCProfile>(() => ({
  id: 'vipps',
  name: 'Vipps MobilePay',
  isSelfHosted: true,
  issuer: 'https://api.vipps.no/access-management-1.0/access/',
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  authorization: { params: { scope: 'openid name email' } },
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
}))
