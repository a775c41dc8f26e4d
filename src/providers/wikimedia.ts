import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface WikimediaProfile {
  /** A number, or a text that contains one. */
  sub: number | string
  username?: string
  realname?: string
  email?: string
  confirmed_email?: boolean
}

/** {@link https://www.mediawiki.org/wiki/OAuth/For_Developers} */
export function Wikimedia(
  options: OAuthUserConfig<WikimediaProfile> = {},
): OAuth2Config<WikimediaProfile> {
  return configure<WikimediaProfile>(
    {
      id: 'wikimedia',
      name: 'Wikimedia',
      type: 'oauth',
      jwks_endpoint: undefined,
      authorization: 'https://meta.wikimedia.org/w/rest.php/oauth2/authorize',
      token: 'https://meta.wikimedia.org/w/rest.php/oauth2/access_token',
      userinfo: 'https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile',
      profile({ sub, username, realname, email, confirmed_email }) {
        return {
          id: String(sub ?? ''),
          name: realname || username,
          email,
          emailVerified: confirmed_email === true,
          username,
        }
      },
      registration: {
        url: 'https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration/propose/oauth2',
        idName: 'Client application key',
        secretName: 'Client application secret',
      },
      style: { brandColor: '#000000', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M20.07 3.13a12 12 0 1 1-16.15 0L6.2 5.39A8.78 8.78 0 0 0 12 20.8a8.8 8.8 0 0 0 5.8-15.4zm-3.4 3.4a7.19 7.19 0 0 1-3.87 12.63V10.4zM11.2 19.16A7.2 7.2 0 0 1 7.33 6.53l3.87 3.87zM12 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8'
