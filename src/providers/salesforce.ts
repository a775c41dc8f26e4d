import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * `AUTH_SALESFORCE_ISSUER` is needed for a sandbox, `https://test.salesforce.com`, and for an
 * organisation's own domain.
 *
 * {@link https://help.salesforce.com/HTViewHelpDoc?id=remoteaccess_using_userinfo_endpoint.htm}
 */
export function Salesforce(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'salesforce',
      name: 'Salesforce',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      issuer: 'https://login.salesforce.com',
      checks: ['pkce', 'nonce'],
      // The ID token lacks the profile.
      idToken: false,
      sendsAuthTime: false,
      promptParams: { prompt: 'login' },
      registration: {
        url: 'https://login.salesforce.com',
        idName: 'Consumer Key',
        secretName: 'Consumer Secret',
      },
      style: { brandColor: '#00a1e0' },
    },
    options,
  )
}
