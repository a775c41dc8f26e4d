import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface BoxProfile {
  id: string
  name?: string
  /** The email address the user signs in with. */
  login?: string
  avatar_url?: string
}

/**
 * Scopes are configured in the app.
 *
 * {@link https://developer.box.com/reference/get-users-me/}
 */
export function Box(options: OAuthUserConfig<BoxProfile> = {}): OAuth2Config<BoxProfile> {
  return configure<BoxProfile>(
    {
      id: 'box',
      name: 'Box',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: 'https://account.box.com/api/oauth2/authorize',
      token: 'https://api.box.com/oauth2/token',
      userinfo: 'https://api.box.com/2.0/users/me',
      revocation: 'https://api.box.com/oauth2/revoke',
      profile({ id, name, login, avatar_url }) {
        return { id, name, email: login, image: avatar_url }
      },
      registration: { url: 'https://app.box.com/developers/console' },
      style: { brandColor: '#0061d5', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M12 55Q0 55 0 65v75a47 46 0 0046 45 47 39 0 0041-25c9 14 24 25 38 24 28 3 50-20 50-45s-18-45-48-46q-29 4-39 25-13-24-43-25-13 1-26 9V66a10 12 0 00-9-11M171 93l-1 1q-6 3-4 12l25 32-24 32q-4 7 2 12t13 0l20-27 21 26q6 7 15 1 3-4 1-11l-25-32 24-30q5-10-2-14-8-4-12 2l-22 26-20-28q-7-3-6-3M51 112c11 2 21 9 23 26s-14 29-29 29-26-14-27-27 12-29 26-28m90 0c9 1 23 12 23 26s-12 29-26 28c-18 2-31-13-30-28s13-26 25-26'
