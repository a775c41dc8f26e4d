import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface FacebookProfile {
  id: string
  name?: string
  /** Absent if the user signed up with a phone number or did not share it. */
  email?: string
  picture?: { data?: { url?: string } }
}

/** {@link https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow} */
export const Facebook = oauthProvider<FacebookProfile>(() => ({
  id: 'facebook',
  name: 'Facebook',
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
}))

const LOGO =
  'M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z'
