import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

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
export const Patreon = oauthProvider<PatreonProfile>(() => ({
  id: 'patreon',
  name: 'Patreon',
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
}))

const LOGO =
  'M22.957 7.21c-.004-3.064-2.391-5.576-5.191-6.482-3.478-1.125-8.064-.962-11.384.604C2.357 3.231 1.093 7.391 1.046 11.54c-.039 3.411.302 12.396 5.369 12.46 3.765.047 4.326-4.804 6.068-7.141 1.24-1.662 2.836-2.132 4.801-2.618 3.376-.836 5.678-3.501 5.673-7.031Z'
