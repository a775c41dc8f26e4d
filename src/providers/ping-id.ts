import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_PING_ID_ISSUER` is `https://auth.pingone.com/<environment id>/as`, with the domain of the
 * region.
 *
 * {@link https://developer.pingidentity.com/pingone-api/auth/openid-connect-oauth-2/discovery-openid-configuration.html}
 */
export const PingId = oidcProvider<OIDCProfile>(() => ({
  id: 'ping-id',
  name: 'Ping Identity',
  isSelfHosted: true,
  registration: { url: 'https://console.pingone.com' },
  style: { brandColor: '#b3282d' },
}))
