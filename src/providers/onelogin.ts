import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_ONELOGIN_ISSUER` is `https://<subdomain>.onelogin.com/oidc/2`.
 *
 * {@link https://developers.onelogin.com/openid-connect/api/provider-config}
 */
export const OneLogin = oidcProvider<OIDCProfile>(() => ({
  id: 'onelogin',
  name: 'OneLogin',
  isSelfHosted: true,
  style: { brandColor: '#1c1f2a' },
}))
