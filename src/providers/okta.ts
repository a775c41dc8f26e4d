import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

/**
 * `AUTH_OKTA_ISSUER` is `https://<organization>.okta.com`, or
 * `https://<organization>.okta.com/oauth2/<authorization server>`. The profile is read from the
 * userinfo endpoint, because ID tokens of the first one do not contain it.
 *
 * {@link https://developer.okta.com/docs/reference/api/oidc}
 */
export const Okta = oidcProvider<OIDCProfile>(() => ({
  id: 'okta',
  name: 'Okta',
  isSelfHosted: true,
  idToken: false,
  style: { brandColor: '#007dc1', logo: logo('black', LOGO) },
}))

const LOGO =
  'M12 0C5.389 0 0 5.35 0 12s5.35 12 12 12 12-5.35 12-12S18.611 0 12 0zm0 18c-3.325 0-6-2.675-6-6s2.675-6 6-6 6 2.675 6 6-2.675 6-6 6z'
