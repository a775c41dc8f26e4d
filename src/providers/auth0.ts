import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

/**
 * `AUTH_AUTH0_ISSUER` is `https://<tenant>.auth0.com/`, or a custom domain.
 *
 * {@link https://auth0.com/docs/authenticate}
 */
export const Auth0 = oidcProvider<OIDCProfile>(() => ({
  id: 'auth0',
  name: 'Auth0',
  isSelfHosted: true,
  registration: { url: 'https://manage.auth0.com' },
  style: { brandColor: '#eb5424', logo: logo('black', LOGO) },
}))

const LOGO =
  'M21.98 7.448L19.62 0H4.347L2.02 7.448c-1.352 4.312.03 9.206 3.815 12.015L12.007 24l6.157-4.552c3.755-2.81 5.182-7.688 3.815-12.015l-6.16 4.58 2.343 7.45-6.157-4.597-6.158 4.58 2.358-7.433-6.188-4.55 7.63-.045L12.008 0l2.356 7.404 7.615.044z'
