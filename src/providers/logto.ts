import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

export interface LogtoProfile extends OIDCProfile {
  username?: string | null
}

/**
 * `AUTH_LOGTO_ISSUER` is `https://<tenant>.logto.app/oidc`.
 *
 * {@link https://docs.logto.io/developers/custom-id-token}
 */
export function Logto(options: OIDCUserConfig<LogtoProfile> = {}): OIDCConfig<LogtoProfile> {
  return configure<LogtoProfile>(
    {
      id: 'logto',
      name: 'Logto',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['pkce', 'nonce'],
      profile({ sub, username, name, email, email_verified, picture }) {
        return {
          id: sub,
          name: name ?? username,
          email,
          emailVerified: email_verified === true,
          image: picture,
          username,
        }
      },
      registration: { url: 'https://cloud.logto.io', idName: 'App ID', secretName: 'App secret' },
      style: { brandColor: '#5d34f2' },
    },
    options,
  )
}
