import { configure } from './configure.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface FacebookProfile {
  id: string
  name?: string
  /** Absent if the user signed up with a phone number or did not share it. */
  email?: string
  picture?: { data?: { url?: string } }
}

/** {@link https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow} */
export function Facebook(
  options: OAuthUserConfig<FacebookProfile> = {},
): OAuth2Config<FacebookProfile> {
  return configure<FacebookProfile>(
    {
      id: 'facebook',
      name: 'Facebook',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: {
        url: 'https://www.facebook.com/v23.0/dialog/oauth',
        params: { scope: 'public_profile,email' },
      },
      token: 'https://graph.facebook.com/v23.0/oauth/access_token',
      userinfo: {
        url: 'https://graph.facebook.com/v23.0/me',
        params: { fields: 'id,name,email,picture.type(large)' },
      },
      promptParams: { auth_type: 'reauthenticate' },
      profile({ id, name, email, picture }) {
        return { id, name, email, image: picture?.data?.url }
      },
      style: { brandColor: '#1877f2' },
    },
    options,
  )
}
