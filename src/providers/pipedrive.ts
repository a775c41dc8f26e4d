import { oauthProvider } from './catalogue-entry.ts'

export interface PipedriveProfile {
  data?: {
    id?: number
    company_id?: number
    name?: string
    email?: string
    icon_url?: string | null
  }
}

/**
 * An account is a user of one company: Pipedrive recommends both ids together as the identifier.
 *
 * {@link https://pipedrive.readme.io/docs/marketplace-getting-user-data}
 */
export const Pipedrive = oauthProvider<PipedriveProfile>(() => ({
  id: 'pipedrive',
  name: 'Pipedrive',
  checks: ['state'],
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  authorization: 'https://oauth.pipedrive.com/oauth/authorize',
  token: 'https://oauth.pipedrive.com/oauth/token',
  userinfo: 'https://api.pipedrive.com/v1/users/me',
  revocation: 'https://oauth.pipedrive.com/oauth/revoke',
  profile({ data: user }) {
    const hasIds = user?.id !== undefined && user.company_id !== undefined
    return {
      id: hasIds ? `${user.company_id}:${user.id}` : '',
      name: user?.name,
      email: user?.email,
      image: user?.icon_url,
    }
  },
  registration: { url: 'https://app.pipedrive.com/developer-hub' },
  style: { brandColor: '#017737' },
}))
