import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_SALESFORCE_ISSUER` is needed for a sandbox, `https://test.salesforce.com`, and for an
 * organisation's own domain.
 *
 * {@link https://help.salesforce.com/HTViewHelpDoc?id=remoteaccess_using_userinfo_endpoint.htm}
 */
export const Salesforce = oidcProvider<OIDCProfile>(() => ({
  id: 'salesforce',
  name: 'Salesforce',
  isSelfHosted: true,
  issuer: 'https://login.salesforce.com',
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
}))
