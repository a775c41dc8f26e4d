import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_ASGARDEO_ISSUER` is `https://api.asgardeo.io/t/<organization>/oauth2/token`. The ID token
 * has the attributes that are selected in the application.
 *
 * {@link https://wso2.com/asgardeo/docs/guides/authentication/oidc/discover-oidc-configs}
 */
export const Asgardeo = oidcProvider<OIDCProfile>(() => ({
  id: 'asgardeo',
  name: 'Asgardeo',
  isSelfHosted: true,
  registration: { url: 'https://console.asgardeo.io' },
  style: { brandColor: '#ff7300' },
}))
