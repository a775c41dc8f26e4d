import { configure } from './configure.ts'
import { svg } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/** {@link https://developers.google.com/identity/openid-connect/openid-connect} */
export function Google(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'google',
      name: 'Google',
      type: 'oidc',
      issuer: 'https://accounts.google.com',
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      sendsAuthTime: false,
      promptParams: { prompt: 'select_account' },
      registration: { url: 'https://console.cloud.google.com/auth/clients' },
      style: { bg: '#ffffff', text: '#1f1f1f', logo: svg(LOGO) },
    },
    options,
  )
}

/** The letter in four colours, our own drawing. */
const LOGO =
  "<g fill='none' stroke-width='4'><path stroke='#ea4335' d='M17.66 6.34A8 8 0 0 0 5.07 8'/><path stroke='#fbbc05' d='M5.07 8a8 8 0 0 0 0 8'/><path stroke='#34a853' d='M5.07 16a8 8 0 0 0 12.59 1.66'/><path stroke='#4285f4' d='M17.66 17.66A8 8 0 0 0 20 12h-8'/></g>"
