import { fullName } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'

export interface Concept2Profile {
  data?: {
    id?: number
    username?: string
    first_name?: string
    last_name?: string
    email?: string
    profile_image?: string | null
  }
}

/**
 * Concept2 approves an app for its live API after a test with its development server.
 *
 * {@link https://log.concept2.com/developers/documentation/}
 */
export const Concept2 = oauthProvider<Concept2Profile>(() => ({
  id: 'concept2',
  name: 'Concept2',
  checks: ['state'],
  authorization: {
    url: 'https://log.concept2.com/oauth/authorize',
    params: { scope: 'user:read' },
  },
  token: 'https://log.concept2.com/oauth/access_token',
  userinfo: 'https://log.concept2.com/api/users/me',
  scopeSeparator: ',',
  profile({ data }) {
    return {
      id: String(data?.id ?? ''),
      name: fullName(data?.first_name, data?.last_name) ?? data?.username,
      email: data?.email,
      image: data?.profile_image,
      username: data?.username,
    }
  },
  registration: { url: 'https://log.concept2.com/developers/keys' },
  style: { brandColor: '#003a70' },
}))
