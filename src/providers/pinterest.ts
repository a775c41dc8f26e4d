import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface PinterestProfile {
  id: string
  username?: string
  business_name?: string | null
  profile_image?: string
}

/**
 * Pinterest sends no email address.
 *
 * {@link https://developers.pinterest.com/docs/getting-started/authentication/}
 */
export function Pinterest(
  options: OAuthUserConfig<PinterestProfile> = {},
): OAuth2Config<PinterestProfile> {
  return configure<PinterestProfile>(
    {
      id: 'pinterest',
      name: 'Pinterest',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: {
        url: 'https://www.pinterest.com/oauth/',
        params: { scope: 'user_accounts:read' },
      },
      token: 'https://api.pinterest.com/v5/oauth/token',
      userinfo: 'https://api.pinterest.com/v5/user_account',
      scopeSeparator: ',',
      profile({ id, username, business_name, profile_image }) {
        return { id, name: business_name || username, image: profile_image, username }
      },
      registration: {
        url: 'https://developers.pinterest.com/apps/',
        idName: 'App id',
        secretName: 'App secret key',
      },
      style: { brandColor: '#bd081c', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M129 0A122 120 0 0076 231c-1-22-1-22 1-35l14-59s-3-4-4-17c0-16 10-30 23-30q16 4 14 19t-10 38c-2 14 7 22 17 22 22 1 39-24 39-53-1-30-18-51-52-50a51 50 0 00-52 55q0 11 8 24 2 0 1 5l-3 11q0 4-4 3c-16-9-25-30-24-48 0-34 24-71 80-71 40 0 73 30 73 69-1 44-28 76-65 74q-18-1-25-13l-8 29c-2 11-10 22-15 31a121 121 0 00156-116A121 121 0 00120 0'
