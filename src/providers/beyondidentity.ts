import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/** {@link https://developer.beyondidentity.com/} */
export function BeyondIdentity(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'beyondidentity',
      name: 'Beyond Identity',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      registration: { url: 'https://console-us.beyondidentity.com' },
      style: { brandColor: '#5077c5' },
    },
    options,
  )
}
