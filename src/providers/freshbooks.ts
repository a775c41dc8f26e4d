import { configure } from './configure.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { fullName } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

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
export function Freshbooks(
  options: OAuthUserConfig<FreshBooksProfile> = {},
): OAuth2Config<FreshBooksProfile> {
  return configure<FreshBooksProfile>(
    {
      id: 'freshbooks',
      name: 'FreshBooks',
      type: 'oauth',
      jwks_endpoint: undefined,
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
    },
    options,
  )
}
