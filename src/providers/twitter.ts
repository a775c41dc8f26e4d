import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface TwitterProfile {
  data?: {
    id?: string
    name?: string
    username?: string
    profile_image_url?: string
  }
}

/** {@link https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code} */
export const Twitter = oauthProvider<TwitterProfile>(() => ({
  id: 'twitter',
  name: 'X',
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  // Reading the profile requires tweet.read.
  authorization: {
    url: 'https://x.com/i/oauth2/authorize',
    params: { scope: 'users.read tweet.read' },
  },
  token: 'https://api.x.com/2/oauth2/token',
  userinfo: { url: 'https://api.x.com/2/users/me', params: { 'user.fields': 'profile_image_url' } },
  profile({ data: { id = '', name, username, profile_image_url } = {} }) {
    return { id, name, image: profile_image_url, username }
  },
  registration: {
    url: 'https://developer.x.com/en/portal/dashboard',
    idName: 'OAuth 2.0 Client ID',
  },
  style: { brandColor: '#000000', logo: logo('white', LOGO) },
}))

const LOGO =
  'M14.234 10.162 22.977 0h-2.072l-7.591 8.824L7.251 0H.258l9.168 13.343L.258 24H2.33l8.016-9.318L16.749 24h6.993zm-2.837 3.299-.929-1.329L3.076 1.56h3.182l5.965 8.532.929 1.329 7.754 11.09h-3.182z'
