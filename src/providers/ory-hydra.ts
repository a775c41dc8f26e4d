import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

/**
 * `AUTH_HYDRA_ISSUER` is the public URL of Hydra. The ID token has the claims that its consent
 * app adds.
 *
 * {@link https://www.ory.sh/docs/hydra/5min-tutorial}
 */
export const OryHydra = oidcProvider<OIDCProfile>(() => ({
  id: 'hydra',
  name: 'Ory Hydra',
  isSelfHosted: true,
  style: { brandColor: '#4f46e5', logo: logo('white', LOGO) },
}))

const LOGO =
  'M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12m-6-.75V3l6-3 6 3v2.25l-6-3zm12 13.5V21l-6 3-6-3v-2.25l6 3z'
