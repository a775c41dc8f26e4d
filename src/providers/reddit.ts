import { configure } from './configure.ts'
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
      style: { brandColor: '#ff4500' },
    },
    options,
  )
}
