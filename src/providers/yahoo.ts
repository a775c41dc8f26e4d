import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/** {@link https://developer.yahoo.com/sign-in-with-yahoo/} */
export function Yahoo(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'yahoo',
      name: 'Yahoo',
      type: 'oidc',
      issuer: 'https://api.login.yahoo.com',
      jwks_endpoint: undefined,
      // The ID token may lack the profile; userinfo always has it.
      idToken: false,
      sendsAuthTime: false,
      promptParams: { prompt: 'login' },
      checks: ['state', 'nonce'],
      style: { brandColor: '#6001d2' },
    },
    options,
  )
}
