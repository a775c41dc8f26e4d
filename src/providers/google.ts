import { configure } from './configure.ts'
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
      style: { brandColor: '#1a73e8' },
    },
    options,
  )
}
