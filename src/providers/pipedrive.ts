import { configure } from './configure.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface PipedriveProfile {
  data?: {
    id?: number
    company_id?: number
    name?: string
    email?: string
    icon_url?: string | null
  }
}

/**
 * An account is a user of one company: Pipedrive recommends both ids together as the identifier.
 *
 * {@link https://pipedrive.readme.io/docs/marketplace-getting-user-data}
 */
export function Pipedrive(
  options: OAuthUserConfig<PipedriveProfile> = {},
): OAuth2Config<PipedriveProfile> {
  return configure<PipedriveProfile>(
    {
      id: 'pipedrive',
      name: 'Pipedrive',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: 'https://oauth.pipedrive.com/oauth/authorize',
      token: 'https://oauth.pipedrive.com/oauth/token',
      userinfo: 'https://api.pipedrive.com/v1/users/me',
      revocation: 'https://oauth.pipedrive.com/oauth/revoke',
      profile({ data: user }) {
        const hasIds = user?.id !== undefined && user.company_id !== undefined
        return {
          id: hasIds ? `${user.company_id}:${user.id}` : '',
          name: user?.name,
          email: user?.email,
          image: user?.icon_url,
        }
      },
      registration: { url: 'https://app.pipedrive.com/developer-hub' },
      style: { brandColor: '#017737' },
    },
    options,
  )
}
