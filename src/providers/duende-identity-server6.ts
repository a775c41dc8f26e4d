import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * The profile is read from the userinfo endpoint: by default the ID token does not contain it.
 *
 * {@link https://docs.duendesoftware.com/identityserver/v7/fundamentals/claims}
 */
export const DuendeIdentityServer6 = oidcProvider<OIDCProfile>(() => ({
  id: 'duende-identity-server6',
  name: 'Duende IdentityServer',
  isSelfHosted: true,
  idToken: false,
  style: { brandColor: '#2c5aa0' },
}))
