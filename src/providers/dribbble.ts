import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface DribbbleProfile {
  id: number
  name?: string
  login?: string
  html_url?: string
  avatar_url?: string
}

/** {@link https://developer.dribbble.com/v2/oauth/} */
export function Dribbble(
  options: OAuthUserConfig<DribbbleProfile> = {},
): OAuth2Config<DribbbleProfile> {
  return configure<DribbbleProfile>(
    {
      id: 'dribbble',
      name: 'Dribbble',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: { url: 'https://dribbble.com/oauth/authorize', params: { scope: 'public' } },
      token: 'https://dribbble.com/oauth/token',
      userinfo: 'https://api.dribbble.com/v2/user',
      profile({ id, name, login, html_url, avatar_url }) {
        return { id: String(id ?? ''), name, image: avatar_url, username: login, url: html_url }
      },
      registration: { url: 'https://dribbble.com/account/applications' },
      style: { brandColor: '#ea4c89', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M120 240C54 240 0 186 0 120S54 0 120 0s120 54 120 120-54 120-119 120M221 136c-5 0-27-9-64-4 14 36 20 70 20 73q36-24 44-67m-61 77c-1-7-7-40-22-78-58 20-79 60-81 64q27 21 63 22 16 0 40-8M43 189c4-5 30-50 86-69l2-1-8-16c-60 15-93 14-105 14v7q0 34 25 64M17 100c10-1 49-1 98-13-18-30-36-56-38-60-29 14-51 40-57 72M96 21c3 3 21 29 38 59 37-13 53-34 53-37q-29-25-65-25l-21 1m99 34c0 3-18 26-58 43l6 12 3 8c37-4 65 2 72 3q-2-37-24-64'
