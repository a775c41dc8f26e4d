import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

/** {@link https://developers.google.com/identity/openid-connect/openid-connect} */
export function Google(options: OAuthUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'google',
      name: 'Google',
      type: 'oidc',
      issuer: 'https://accounts.google.com',
      jwks_endpoint: undefined,
      endpointOrigins: [
        'https://oauth2.googleapis.com',
        'https://openidconnect.googleapis.com',
        'https://www.googleapis.com',
      ],
      checks: ['pkce', 'nonce'],
      sendsAuthTime: false,
      promptParams: { prompt: 'select_account' },
      style: { brandColor: '#1a73e8' },
    },
    options,
  )
}
