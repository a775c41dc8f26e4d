import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_KINDE_ISSUER` is `https://<subdomain>.kinde.com`.
 *
 * {@link https://docs.kinde.com/}
 */
export const Kinde = oidcProvider<OIDCProfile>(() => ({
  id: 'kinde',
  name: 'Kinde',
  isSelfHosted: true,
  registration: { url: 'https://app.kinde.com' },
  style: { brandColor: '#0f0f0f' },
}))
