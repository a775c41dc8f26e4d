import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface ZoomProfile {
  id: string
  display_name?: string
  email?: string
  /** 1 if the address is verified. */
  verified?: number
  pic_url?: string
}

/**
 * Scopes are configured in the app: add `user:read:user` in Zoom's marketplace.
 *
 * {@link https://developers.zoom.us/docs/integrations/oauth/}
 */
export const Zoom = oauthProvider<ZoomProfile>(() => ({
  id: 'zoom',
  name: 'Zoom',
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  authorization: 'https://zoom.us/oauth/authorize',
  token: 'https://zoom.us/oauth/token',
  userinfo: 'https://api.zoom.us/v2/users/me',
  profile({ id, display_name, email, verified, pic_url }) {
    return { id, name: display_name, email, emailVerified: verified === 1, image: pic_url }
  },
  registration: { url: 'https://marketplace.zoom.us/develop/apps' },
  style: { brandColor: '#0b5cff', logo: logo('white', LOGO) },
}))

/** A camera, our own drawing. */
const LOGO = 'M3 6h10a3 3 0 0 1 3 3v9H6a3 3 0 0 1-3-3zm14.5 4.5 4.5-3v9l-4.5-3z'
