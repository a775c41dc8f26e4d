import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { below, fullName } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface MattermostProfile {
  id: string
  username?: string
  first_name?: string
  last_name?: string
  email?: string
}

/**
 * `AUTH_MATTERMOST_ISSUER` is the address of the server.
 *
 * {@link https://developers.mattermost.com/integrate/apps/authentication/oauth2}
 */
export function Mattermost(
  options: OAuthUserConfig<MattermostProfile> = {},
): OAuth2Config<MattermostProfile> {
  return configure<MattermostProfile>(
    {
      id: 'mattermost',
      name: 'Mattermost',
      type: 'oauth',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: below(options.issuer, '/oauth/authorize'),
      token: below(options.issuer, '/oauth/access_token'),
      userinfo: below(options.issuer, '/api/v4/users/me'),
      profile({ id, username, first_name, last_name, email }) {
        // Never verified: an administrator can enter any address.
        return { id, name: fullName(first_name, last_name) ?? username, email, username }
      },
      style: { brandColor: '#0058cc', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M12.08 0a12 12 0 1 0 6.97 2.29l.13 2.55a8.6 8.6 0 0 1 1.85 8.55c-1.53 4.53-6.6 6.91-11.3 5.32-4.7-1.6-7.28-6.56-5.74-11.1a8.6 8.6 0 0 1 6.69-5.66L12.32 0zm3.53 1.1-.12.02-.12.07c-.14.14-.65.83-.65.83L13.6 3.4l-1.3 1.59-2.23 2.77s-1.03 1.28-.8 2.85a3.3 3.3 0 0 0 2.3 2.65c.91.3 2.3.4 3.44-.7 1.14-1.12 1.1-2.75 1.1-2.75l-.09-3.56-.07-2.05-.04-1.78s0-.86-.02-1.06l-.04-.1v-.02h-.01a.3.3 0 0 0-.23-.15'
