import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface NaverProfile {
  response?: {
    id?: string
    name?: string
    nickname?: string
    /** A contact address, not verified by Naver. */
    email?: string
    profile_image?: string
  }
}

/** {@link https://developers.naver.com/docs/login/api/api.md} */
export const Naver = oauthProvider<NaverProfile>(() => ({
  id: 'naver',
  name: 'Naver',
  checks: ['state'],
  authorization: 'https://nid.naver.com/oauth2.0/authorize',
  token: 'https://nid.naver.com/oauth2.0/token',
  userinfo: 'https://openapi.naver.com/v1/nid/me',
  promptParams: { auth_type: 'reauthenticate' },
  profile({ response: { id = '', name, nickname, email, profile_image } = {} }) {
    return { id, name: name ?? nickname, email, image: profile_image }
  },
  registration: { url: 'https://developers.naver.com/apps' },
  style: { brandColor: '#03c75a', logo: logo('black', LOGO) },
}))

const LOGO = 'M16.273 12.845 7.376 0H0v24h7.726V11.156L16.624 24H24V0h-7.727v12.845Z'
