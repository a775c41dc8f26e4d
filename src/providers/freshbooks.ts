import { fullName } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'

export interface FreshBooksProfile {
  response?: {
    id?: number
    first_name?: string
    last_name?: string
    email?: string
  }
}

/**
 * The app needs the scope `user:profile:read`, which is configured there.
 *
 * {@link https://www.freshbooks.com/api/authentication}
 */
export const Freshbooks = oauthProvider<FreshBooksProfile>(() => ({
  id: 'freshbooks',
  name: 'FreshBooks',
  checks: ['state'],
  authorization: 'https://auth.freshbooks.com/oauth/authorize',
  token: 'https://api.freshbooks.com/auth/oauth/token',
  userinfo: 'https://api.freshbooks.com/auth/api/v1/users/me',
  profile({ response: user }) {
    return {
      id: String(user?.id ?? ''),
      name: fullName(user?.first_name, user?.last_name),
      email: user?.email,
    }
  },
  registration: { url: 'https://my.freshbooks.com/#/developer' },
  style: { brandColor: '#0075dd' },
}))
