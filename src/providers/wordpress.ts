import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface WordPressProfile {
  ID: number
  display_name?: string
  username?: string
  email?: string
  avatar_URL?: string
  profile_URL?: string
}

/** {@link https://developer.wordpress.com/docs/api/oauth2/} */
export function WordPress(
  options: OAuthUserConfig<WordPressProfile> = {},
): OAuth2Config<WordPressProfile> {
  return configure<WordPressProfile>(
    {
      id: 'wordpress',
      name: 'WordPress.com',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: {
        url: 'https://public-api.wordpress.com/oauth2/authorize',
        params: { scope: 'auth' },
      },
      token: 'https://public-api.wordpress.com/oauth2/token',
      userinfo: 'https://public-api.wordpress.com/rest/v1/me',
      profile({ ID, display_name, username, email, avatar_URL, profile_URL }) {
        return {
          id: String(ID ?? ''),
          name: display_name,
          email,
          image: avatar_URL,
          username,
          url: profile_URL,
        }
      },
      registration: { url: 'https://developer.wordpress.com/apps/' },
      style: { brandColor: '#21759b', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M215 68a112 110 0 01-40 145l32-95a99 100 0 008-50m-80 1h8c12-1 8-9 5-10l-27 2-34-2c-5 4-2 9 2 9H99l18 47-24 70L54 71V68c22 3 16-8 13-9l-45 2h7a109 114 0 0198-48q33 0 67 28h-5c-8 0-16 9-16 20q1 9 12 26 7 10 8 28-1 12-8 33l-11 38m-47 42q-38-1-37-6l32-93 33 92q-11 7-43 7M12 117q0-16 9-42l52 142c-36-17-61-55-61-97M120 0a120 120 0 100 240 120 120 0 000-240'
