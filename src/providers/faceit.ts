import { dropIdToken } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface FaceitProfile {
  guid: string
  nickname?: string
  email?: string
  picture?: string
}

/**
 * Scopes are configured in the app: `openid`, `email` and `profile`.
 *
 * {@link https://docs.faceit.com/getting-started/authentication/oauth2}
 */
export const FACEIT = oauthProvider<FaceitProfile>(() => ({
  id: 'faceit',
  name: 'FACEIT',
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  authorization: {
    url: 'https://accounts.faceit.com/accounts',
    params: { redirect_popup: 'true' },
  },
  token: { url: 'https://api.faceit.com/auth/v1/oauth/token', normalizeResponse: dropIdToken },
  userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
  profile({ guid, nickname, email, picture }) {
    return { id: guid, name: nickname, email, image: picture, username: nickname }
  },
  registration: { url: 'https://developers.faceit.com/apps' },
  style: { brandColor: '#ff5500', logo: logo('black', LOGO) },
}))

const LOGO =
  'M23.999 2.705a.167.167 0 00-.312-.1 1141.27 1141.27 0 00-6.053 9.375H.218c-.221 0-.301.282-.11.352 7.227 2.73 17.667 6.836 23.5 9.134.15.06.39-.08.39-.18z'
