import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { dropIdToken } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

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
export function Faceit(options: OAuthUserConfig<FaceitProfile> = {}): OAuth2Config<FaceitProfile> {
  return configure<FaceitProfile>(
    {
      id: 'faceit',
      name: 'FACEIT',
      type: 'oauth',
      jwks_endpoint: undefined,
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
    },
    options,
  )
}

const LOGO =
  'M24 2.7a.17.17 0 0 0-.31-.1 1141 1141 0 0 0-6.06 9.38H.22c-.22 0-.3.28-.11.35a2066 2066 0 0 1 23.5 9.14c.15.06.39-.08.39-.18z'
