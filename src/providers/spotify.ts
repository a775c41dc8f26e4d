import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface SpotifyProfile {
  id: string
  display_name?: string | null
  /** Not verified by Spotify, according to its documentation. */
  email?: string
  images?: readonly { url?: string }[]
  external_urls?: { spotify?: string }
}

/** {@link https://developer.spotify.com/documentation/web-api/tutorials/code-flow} */
export function Spotify(
  options: OAuthUserConfig<SpotifyProfile> = {},
): OAuth2Config<SpotifyProfile> {
  return configure<SpotifyProfile>(
    {
      id: 'spotify',
      name: 'Spotify',
      type: 'oauth',
      jwks_endpoint: undefined,
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: {
        url: 'https://accounts.spotify.com/authorize',
        params: { scope: 'user-read-email' },
      },
      token: 'https://accounts.spotify.com/api/token',
      userinfo: 'https://api.spotify.com/v1/me',
      promptParams: { show_dialog: 'true' },
      profile({ id, display_name, email, images, external_urls }) {
        return {
          id,
          name: display_name,
          email,
          image: images?.[0]?.url,
          url: external_urls?.spotify,
        }
      },
      registration: { url: 'https://developer.spotify.com/dashboard' },
      style: { brandColor: '#1db954', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M120 0C54 0 0 54 0 120s54 120 120 120 120-54 120-120S187 0 120 0m56 173q-5 6-11 3-43-26-102-12-12 3-13-7-1-6 10-8 64-14 112 14 7 3 3 11m15-35q-5 9-12 5c-36-21-81-26-122-14q-8 0-10-7t6-11a177 177 0 01135 16q6 5 3 12m4-33A203 196 0 0051 93q-8 2-13-6-3-11 7-15c44-13 113-10 157 16q8 5 5 15-6 8-16 4'
