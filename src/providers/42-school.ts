import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface FortyTwoSchoolProfile {
  id: number
  login?: string
  displayname?: string
  usual_full_name?: string
  email?: string
  image?: { link?: string | null }
}

/** {@link https://api.intra.42.fr/apidoc/guides/web_application_flow} */
export const FortyTwo = oauthProvider<FortyTwoSchoolProfile>(() => ({
  id: '42-school',
  name: '42 School',
  checks: ['state'],
  authorization: { url: 'https://api.intra.42.fr/oauth/authorize', params: { scope: 'public' } },
  token: 'https://api.intra.42.fr/oauth/token',
  userinfo: 'https://api.intra.42.fr/v2/me',
  profile({ id, login, displayname, usual_full_name, email, image }) {
    return {
      id: String(id ?? ''),
      name: usual_full_name ?? displayname,
      email,
      image: image?.link,
      username: login,
    }
  },
  registration: {
    url: 'https://profile.intra.42.fr/oauth/applications',
    idName: 'UID',
    secretName: 'Secret',
  },
  style: { brandColor: '#000000', logo: logo('white', LOGO) },
}))

const LOGO =
  'M19.581 16.851H24v-4.439ZM24 3.574h-4.419v4.42l-4.419 4.418v4.44h4.419v-4.44L24 7.993Zm-4.419 0h-4.419v4.42zm-6.324 8.838H4.419l8.838-8.838H8.838L0 12.412v3.595h8.838v4.419h4.419z'
