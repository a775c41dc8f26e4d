import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_DESCOPE_ISSUER` is `https://api.descope.com/<project id>`.
 *
 * {@link https://docs.descope.com/identity-federation/applications/oidc-apps/oidc-endpoints}
 */
export const Descope = oidcProvider<OIDCProfile>(() => ({
  id: 'descope',
  name: 'Descope',
  isSelfHosted: true,
  registration: { url: 'https://app.descope.com', idName: 'Project ID', secretName: 'Access key' },
  style: { brandColor: '#1c1c23' },
}))
