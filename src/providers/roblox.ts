import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

/**
 * Roblox sends no email address.
 *
 * {@link https://create.roblox.com/docs/cloud/reference/oauth2}
 */
export const Roblox = oidcProvider<OIDCProfile>(() => ({
  id: 'roblox',
  name: 'Roblox',
  issuer: 'https://apis.roblox.com/oauth/',
  authorization: { params: { scope: 'openid profile' } },
  sendsAuthTime: false,
  promptParams: { prompt: 'login' },
  registration: { url: 'https://create.roblox.com/dashboard/credentials' },
  style: { brandColor: '#000000', logo: logo('white', LOGO) },
}))

const LOGO =
  'M18.926 23.998 0 18.892 5.075.002 24 5.108ZM15.348 10.09l-5.282-1.453-1.414 5.273 5.282 1.453z'
