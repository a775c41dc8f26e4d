import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { completeTokens, requestJson } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface MailchimpProfile {
  accountname?: string
  login?: { login_id?: number; login_name?: string; email?: string; avatar?: string | null }
}

/** {@link https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/} */
export function Mailchimp(
  options: OAuthUserConfig<MailchimpProfile> = {},
): OAuth2Config<MailchimpProfile> {
  return configure<MailchimpProfile>(
    {
      id: 'mailchimp',
      name: 'Mailchimp',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: 'https://login.mailchimp.com/oauth2/authorize',
      token: { url: 'https://login.mailchimp.com/oauth2/token', normalizeResponse: completeTokens },
      userinfo: {
        url: 'https://login.mailchimp.com/oauth2/metadata',
        request: ({ url, tokens, fetch }) =>
          requestJson<MailchimpProfile>(fetch, url, {
            headers: { Authorization: `OAuth ${tokens.access_token}` },
          }),
      },
      profile({ accountname, login }) {
        return {
          id: String(login?.login_id ?? ''),
          name: accountname,
          email: login?.email,
          image: login?.avatar,
          username: login?.login_name,
        }
      },
      registration: { url: 'https://admin.mailchimp.com/account/oauth2/' },
      style: { brandColor: '#ffe01b', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

/** The mark of Simple Icons, simplified. */
const LOGO =
  'M112 0C68 0-18 102 14 130l7 6c-7 25 9 50 35 51 14 33 50 53 85 53 39 1 73-18 87-51 7-19 7-36-4-37l-3-12c9-15-1-27-24-32 0-24-1-33-12-44 20-20 23-41 12-50-14-12-36-6-58 3L127 5q-6-5-14-5m5 9 3 2 10 11c-45 25-69 52-85 94q-12 3-21 13l-8-8C3 99 68 12 112 9M91 68q16-18 31-25l-3 8q15-9 27-9l-4 5q14 0 22 6-42-6-72 15m84 5c13 1 12 19 13 39l2 3c12 3 23 6 25 14 1 15-36 33-73 28q-17 1-13 18c3 16 54 24 83-8-28 17-57 21-75 11l-3-6q22 7 41-1-24 2-40-4 1-7 16-3c20 0 45-4 63-18l4 13q8-1 5 13c-2 12-19 43-62 45-36-1-50-26-50-44 0-20 13-32 14-34-2-5-17-15-16-30-1-13 11-27 23-26 24 2 27 1 35-6q6-4 9-4m0 22q-7 0-1 18h7q-1-18-6-18m-51 22q18-15 28 3-16-7-26-1m7 7q8-10 18-2m27-5a3 4 0 102 0m-16 7a4 3 0 103-1M51 125c16-1 23 16 23 27 0 15-5 23-15 26-17 1-31-14-31-28 1-14 8-24 23-25m0 9c11 0 14 8 9 20q-5 7 7 8-5 5-10 2-5-5-1-15c0-5-2-6-5-8q-8-1-10 10l-3-2q1-14 13-15'
