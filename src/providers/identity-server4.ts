import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * Not supported by its authors since 2022. The profile is read from the userinfo endpoint: by
 * default the ID token does not contain it.
 *
 * {@link https://identityserver4.readthedocs.io/en/latest/}
 */
export const IdentityServer4 = oidcProvider<OIDCProfile>(() => ({
  id: 'identity-server4',
  name: 'IdentityServer4',
  isSelfHosted: true,
  idToken: false,
  style: { brandColor: '#2c5aa0' },
}))
