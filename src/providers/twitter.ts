import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface TwitterProfile {
  data?: {
    id?: string
    name?: string
    username?: string
    profile_image_url?: string
  }
}

/** {@link https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code} */
export function Twitter(
  options: OAuthUserConfig<TwitterProfile> = {},
): OAuth2Config<TwitterProfile> {
  return configure<TwitterProfile>(
    {
      id: 'twitter',
      name: 'X',
      type: 'oauth',
      jwks_endpoint: undefined,
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      // Reading the profile requires tweet.read.
      authorization: {
        url: 'https://x.com/i/oauth2/authorize',
        params: { scope: 'users.read tweet.read' },
      },
      token: 'https://api.x.com/2/oauth2/token',
      userinfo: {
        url: 'https://api.x.com/2/users/me',
        params: { 'user.fields': 'profile_image_url' },
      },
      profile({ data: { id = '', name, username, profile_image_url } = {} }) {
        return { id, name, image: profile_image_url, username }
      },
      registration: {
        url: 'https://developer.x.com/en/portal/dashboard',
        idName: 'OAuth 2.0 Client ID',
      },
      style: { brandColor: '#000000', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M14.23 10.16 22.98 0H20.9l-7.59 8.82L7.25 0h-7l9.18 13.34L.26 24h2.07l8.02-9.32 6.4 9.32h7zm-2.83 3.3-.93-1.33-7.4-10.57h3.19l5.96 8.53.93 1.33 7.76 11.1h-3.19z'
