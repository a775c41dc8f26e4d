import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { svg } from './logo.ts'

/** {@link https://developer.yahoo.com/sign-in-with-yahoo/} */
export const Yahoo = oidcProvider<OIDCProfile>(() => ({
  id: 'yahoo',
  name: 'Yahoo',
  issuer: 'https://api.login.yahoo.com',
  // The ID token may lack the profile; userinfo always has it.
  idToken: false,
  sendsAuthTime: false,
  promptParams: { prompt: 'login' },
  checks: ['state', 'nonce'],
  registration: {
    url: 'https://developer.yahoo.com/apps/',
    idName: 'Client ID (Consumer Key)',
    secretName: 'Client Secret (Consumer Secret)',
  },
  style: { brandColor: '#6001d2', logo: svg(LOGO) },
}))

/** A letter and an exclamation mark, our own drawing. */
const LOGO =
  "<g fill='none' stroke='white' stroke-width='3'><path d='m3 7 5 7v5M13 7l-5 7M20 4l-2 10m-.7 2.5-.5 3'/></g>"
