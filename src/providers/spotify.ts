import { configure } from './configure.ts'
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
      style: { brandColor: '#1db954' },
    },
    options,
  )
}
