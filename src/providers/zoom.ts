import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

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
export function Zoom(options: OAuthUserConfig<ZoomProfile> = {}): OAuth2Config<ZoomProfile> {
  return configure<ZoomProfile>(
    {
      id: 'zoom',
      name: 'Zoom',
      type: 'oauth',
      jwks_endpoint: undefined,
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: 'https://zoom.us/oauth/authorize',
      token: 'https://zoom.us/oauth/token',
      userinfo: 'https://api.zoom.us/v2/users/me',
      profile({ id, display_name, email, verified, pic_url }) {
        return { id, name: display_name, email, emailVerified: verified === 1, image: pic_url }
      },
      style: { brandColor: '#0b5cff', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M5.033 14.649H.743a.74.74 0 0 1-.686-.458.74.74 0 0 1 .16-.808L3.19 10.41H1.06A1.06 1.06 0 0 1 0 9.35h3.957c.301 0 .57.18.686.458a.74.74 0 0 1-.161.808L1.51 13.59h2.464c.585 0 1.06.475 1.06 1.06zM24 11.338c0-1.14-.927-2.066-2.066-2.066-.61 0-1.158.265-1.537.686a2.061 2.061 0 0 0-1.536-.686c-1.14 0-2.066.926-2.066 2.066v3.311a1.06 1.06 0 0 0 1.06-1.06v-2.251a1.004 1.004 0 0 1 2.013 0v2.251c0 .586.474 1.06 1.06 1.06v-3.311a1.004 1.004 0 0 1 2.012 0v2.251c0 .586.475 1.06 1.06 1.06zM16.265 12a2.728 2.728 0 1 1-5.457 0 2.728 2.728 0 0 1 5.457 0zm-1.06 0a1.669 1.669 0 1 0-3.338 0 1.669 1.669 0 0 0 3.338 0zm-4.82 0a2.728 2.728 0 1 1-5.458 0 2.728 2.728 0 0 1 5.457 0zm-1.06 0a1.669 1.669 0 1 0-3.338 0 1.669 1.669 0 0 0 3.338 0z'
