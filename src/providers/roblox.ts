import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * Roblox sends no email address.
 *
 * {@link https://create.roblox.com/docs/cloud/reference/oauth2}
 */
export function Roblox(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'roblox',
      name: 'Roblox',
      type: 'oidc',
      jwks_endpoint: undefined,
      issuer: 'https://apis.roblox.com/oauth/',
      authorization: { params: { scope: 'openid profile' } },
      checks: ['pkce', 'nonce'],
      sendsAuthTime: false,
      promptParams: { prompt: 'login' },
      registration: { url: 'https://create.roblox.com/dashboard/credentials' },
      style: { brandColor: '#000000', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO = 'M18.93 24 0 18.9 5.08 0 24 5.1Zm-3.58-13.91-5.28-1.45-1.42 5.27 5.28 1.45z'
