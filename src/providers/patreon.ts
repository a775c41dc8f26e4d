import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface PatreonProfile {
  data?: {
    id?: string
    attributes?: {
      full_name?: string
      vanity?: string | null
      email?: string | null
      is_email_verified?: boolean
      image_url?: string
      url?: string
    }
  }
}

/** {@link https://docs.patreon.com/#apiv2-oauth} */
export function Patreon(
  options: OAuthUserConfig<PatreonProfile> = {},
): OAuth2Config<PatreonProfile> {
  return configure<PatreonProfile>(
    {
      id: 'patreon',
      name: 'Patreon',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: {
        url: 'https://www.patreon.com/oauth2/authorize',
        params: { scope: 'identity identity[email]' },
      },
      token: 'https://www.patreon.com/api/oauth2/token',
      userinfo: {
        url: 'https://www.patreon.com/api/oauth2/v2/identity',
        params: { 'fields[user]': 'full_name,vanity,email,is_email_verified,image_url,url' },
      },
      profile({ data: { id = '', attributes: user } = {} }) {
        return {
          id,
          name: user?.full_name,
          email: user?.email,
          emailVerified: user?.is_email_verified === true,
          image: user?.image_url,
          username: user?.vanity,
          url: user?.url,
        }
      },
      registration: { url: 'https://www.patreon.com/portal/registration/register-clients' },
      style: { brandColor: '#000000', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M22.96 7.21c0-3.06-2.4-5.58-5.2-6.48a16.5 16.5 0 0 0-11.37.6C2.36 3.23 1.1 7.4 1.05 11.54 1 14.95 1.35 23.94 6.42 24c3.76.05 4.32-4.8 6.06-7.14 1.24-1.66 2.84-2.13 4.8-2.62 3.38-.83 5.68-3.5 5.68-7.03'
