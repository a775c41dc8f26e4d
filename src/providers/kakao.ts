import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface KakaoProfile {
  id: number
  /** Contains what the user agreed to share. */
  kakao_account?: {
    profile?: { nickname?: string; profile_image_url?: string }
    email?: string
    is_email_valid?: boolean
    is_email_verified?: boolean
  }
}

/**
 * Without a scope, Kakao requests what is configured in the app's console; nothing else can be
 * requested. Kakao supports OpenID Connect, but only this profile says whether an email is
 * verified.
 *
 * {@link https://developers.kakao.com/docs/latest/en/kakaologin/rest-api}
 */
export const Kakao = oauthProvider<KakaoProfile>(() => ({
  id: 'kakao',
  name: 'Kakao',
  issuer: 'https://kauth.kakao.com',
  checks: ['state'],
  authorization: 'https://kauth.kakao.com/oauth/authorize',
  token: 'https://kauth.kakao.com/oauth/token',
  userinfo: 'https://kapi.kakao.com/v2/user/me',
  promptParams: { prompt: 'select_account' },
  profile({ id, kakao_account: account }) {
    return {
      id: String(id ?? ''),
      name: account?.profile?.nickname,
      email: account?.email,
      // Valid means that no other account has taken the address over since.
      emailVerified: account?.is_email_valid === true && account.is_email_verified === true,
      image: account?.profile?.profile_image_url,
    }
  },
  registration: { url: 'https://developers.kakao.com/console/app', idName: 'REST API key' },
  style: { brandColor: '#fee500', logo: logo('black', LOGO) },
}))

/** A speech bubble, our own drawing. */
const LOGO =
  'M12 3C6.5 3 2 6.5 2 10.8c0 2.8 1.9 5.2 4.7 6.6l-1 3.8 4.3-2.7q1 .1 2 .1c5.5 0 10-3.5 10-7.8S17.5 3 12 3z'
