import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/** {@link https://developer.beyondidentity.com/} */
export const BeyondIdentity = oidcProvider<OIDCProfile>(() => ({
  id: 'beyondidentity',
  name: 'Beyond Identity',
  isSelfHosted: true,
  registration: { url: 'https://console-us.beyondidentity.com' },
  style: { brandColor: '#5077c5' },
}))
