import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * Any OpenID Connect provider. `AUTH_OIDC_NAME` is the name on its button. With
 * `AUTH_OIDC_USERINFO=on`, the profile is read from the userinfo endpoint, for providers whose ID
 * token does not contain it; the default is `off`. With `AUTH_OIDC_RESPONSE_MODE=form_post`, the
 * provider returns the code in a form instead of a URL.
 */
export const Oidc = oidcProvider<OIDCProfile>(() => ({
  id: 'oidc',
  name: 'SSO',
  isSelfHosted: true,
}))
