import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { svg } from './logo.ts'

/** {@link https://developers.google.com/identity/openid-connect/openid-connect} */
export const Google = oidcProvider<OIDCProfile>(() => ({
  id: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  sendsAuthTime: false,
  promptParams: { prompt: 'select_account' },
  registration: { url: 'https://console.cloud.google.com/auth/clients' },
  style: { bg: '#ffffff', text: '#1f1f1f', logo: svg(LOGO) },
}))

/** The letter in four colours, our own drawing. */
const LOGO =
  "<g fill='none' stroke-width='4'><path stroke='#ea4335' d='M17.66 6.34A8 8 0 0 0 5.07 8'/><path stroke='#fbbc05' d='M5.07 8a8 8 0 0 0 0 8'/><path stroke='#34a853' d='M5.07 16a8 8 0 0 0 12.59 1.66'/><path stroke='#4285f4' d='M17.66 17.66A8 8 0 0 0 20 12h-8'/></g>"
