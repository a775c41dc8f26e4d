import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_ZITADEL_ISSUER` is the URL of the instance. The profile is read from the userinfo
 * endpoint: the ID token does not contain it.
 *
 * {@link https://zitadel.com/docs/apis/openidoauth/claims}
 */
export const ZITADEL = oidcProvider<OIDCProfile>(() => ({
  id: 'zitadel',
  name: 'ZITADEL',
  isSelfHosted: true,
  idToken: false,
  registration: { idName: 'Client ID' },
  style: { brandColor: '#000000' },
}))
