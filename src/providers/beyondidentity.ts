import { oidcProvider } from './catalogue-entry.ts'
import type { OIDCProfile } from './oauth-types.ts'

/** {@link https://developer.beyondidentity.com/} */
export const BeyondIdentity = oidcProvider<OIDCProfile>(() => ({
  id: 'beyondidentity',
  name: 'Beyond Identity',
  isSelfHosted: true,
  registration: { url: 'https://console-us.beyondidentity.com' },
  style: { brandColor: '#5077c5' },
}))
