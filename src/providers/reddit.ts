import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface RedditProfile {
  id: string
  name?: string
  icon_img?: string
}

/** {@link https://github.com/reddit-archive/reddit/wiki/OAuth2} */
export function Reddit(options: OAuthUserConfig<RedditProfile> = {}): OAuth2Config<RedditProfile> {
  return configure<RedditProfile>(
    {
      id: 'reddit',
      name: 'Reddit',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: {
        url: 'https://www.reddit.com/api/v1/authorize',
        params: { scope: 'identity' },
      },
      token: 'https://www.reddit.com/api/v1/access_token',
      // Without it, the URLs of pictures are HTML-escaped.
      userinfo: { url: 'https://oauth.reddit.com/api/v1/me', params: { raw_json: '1' } },
      profile({ id, name, icon_img }) {
        return { id, name, image: icon_img, username: name }
      },
      registration: {
        url: 'https://www.reddit.com/prefs/apps',
        idName: 'the text below the name of the app',
        secretName: 'secret',
      },
      style: { brandColor: '#ff4500', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M120 0A120 120 0 0035 205l-23 23a7 7 0 005 12H120a120 120 0 000-240m42 32a20 20 0 11-18 24q-18 4-20 24 28 1 47 14a28 29 0 0145 24q-2 17-16 23c-1 34-37 59-80 59s-79-26-80-59a28 28 0 1130-47 91 105 0 0146-14c-1-15 11-30 28-32a21 22 0 0119-16M84 115q-15 3-16 18 0 15 13 15 17 0 15-17 0-13-13-15m77-1q-16 2-16 17-1 16 14 16 16 0 14-17-3-15-16-15m-35 40-30 1q2 0-1 2a32 34 0 0059 1q2-2-2-3'
