import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

export interface AzureAdB2CProfile extends OIDCProfile {
  emails?: readonly string[]
}

/**
 * The discovery document is found by the issuer only if the user flow puts its own name into the
 * issuer: `https://<tenant>.b2clogin.com/tfp/<tenant id>/<user flow>/v2.0/`. Otherwise set
 * `wellKnown` in code. Not sold to new customers since May 2025.
 *
 * {@link https://learn.microsoft.com/en-us/azure/active-directory-b2c}
 */
export const AzureADB2C = oidcProvider<AzureAdB2CProfile>(() => ({
  id: 'azure-ad-b2c',
  name: 'Azure AD B2C',
  isSelfHosted: true,
  profile({ sub, name, emails, email = emails?.[0], preferred_username: username }) {
    // Never verified: federated identity providers may report any address.
    return { id: sub, name, email, username }
  },
  registration: {
    url: 'https://portal.azure.com',
    idName: 'Application (client) ID',
    secretName: 'Client secret (value)',
  },
  style: { brandColor: '#0072c6' },
}))
