import { configure } from './configure.ts'
import { logo } from './logo.ts'
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
      registration: {
        url: 'https://developers.facebook.com/apps',
        idName: 'App ID',
        secretName: 'App secret',
      },
      style: { brandColor: '#0866ff', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M9.1 23.7v-8H6.63v-3.67H9.1v-1.58c0-4.08 1.85-5.97 5.86-5.97.4 0 .95.04 1.47.1a9 9 0 0 1 1.14.2V8.1l-.66-.04h-.73q-1.05 0-1.67.3a2 2 0 0 0-.68.62q-.38.63-.38 1.76v1.3h3.92l-.38 2.1-.29 1.56h-3.25v8.25a12 12 0 1 0-4.35-.27'
