import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { completeTokens, requestJson, withQuery } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface MailRuProfile {
  id: string
  name?: string
  nickname?: string
  email?: string
  image?: string
}

/** {@link https://biz.mail.ru/developer/oauth.html} */
export function MailRu(options: OAuthUserConfig<MailRuProfile> = {}): OAuth2Config<MailRuProfile> {
  return configure<MailRuProfile>(
    {
      id: 'mailru',
      name: 'Mail.ru',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'userinfo' } },
      token: { url: 'https://oauth.mail.ru/token', normalizeResponse: completeTokens },
      userinfo: {
        url: 'https://oauth.mail.ru/userinfo',
        // The token is accepted in the query only.
        request: ({ url, tokens, fetch }) =>
          requestJson<MailRuProfile>(
            fetch,
            withQuery(url, { access_token: tokens.access_token ?? '' }),
          ),
      },
      profile({ id, name, nickname, email, image }) {
        return { id, name: name ?? nickname, email, image }
      },
      registration: { url: 'https://o2.mail.ru/app/' },
      style: { brandColor: '#005ff9', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M156 120c0 20-16 36-36 36s-36-16-36-36 16-36 36-36 36 16 36 36M119 0C54 0 0 54 0 120s54 120 119 120q37 0 68-20v-2l-15-18a96 104 0 01-52 15c-54 0-95-42-95-95s41-95 95-95 95 42 95 94l-1 19c-4 15-11 18-18 18q-14-1-15-14V119a60 62 0 00-54-59 60 60 0 00-67 68 59 59 0 0052 52 59 59 0 0051-17 43 39 0 0030 18q16 0 27-8t16-23l2-8q2-9 2-23C240 54 186 0 120 0'
