import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface WebexProfile {
  id: string
  displayName?: string
  emails?: readonly string[]
  avatar?: string
}

/** {@link https://developer.webex.com/docs/integrations} */
export function Webex(options: OAuthUserConfig<WebexProfile> = {}): OAuth2Config<WebexProfile> {
  return configure<WebexProfile>(
    {
      id: 'webex',
      name: 'Webex',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: {
        url: 'https://webexapis.com/v1/authorize',
        params: { scope: 'spark:kms spark:people_read' },
      },
      token: 'https://webexapis.com/v1/access_token',
      userinfo: 'https://webexapis.com/v1/people/me',
      profile({ id, displayName, emails, avatar }) {
        return { id, name: displayName, email: emails?.[0], image: avatar }
      },
      registration: { url: 'https://developer.webex.com/my-apps' },
      style: { brandColor: '#000000', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M218 74c5 14-1 26-11 31-22 8-30-12-30-13-2-4-8-16-14-15-1 0-5 0-9 8l-6 17v7c-5-17-10-40-16-49l-7-12a39 47 0 0117-13 50 57 0 0121-5c11 0 28 3 42 22l5 6 7 14M0 83c0-14 8-25 20-25 16-2 23 12 24 18l5 30 4 15v2l10 26q7 14 14 14c1 1 4 0 10-9l6-18q5 23 15 45l7 11a52 54 0 01-16 13 48 48 0 01-23 5c-14 0-37-7-53-40l-11-29-6-23-3-16M218 57l6 12q6 13 1 26a46 34 0 01-14 17l-12 3-10-1-12 36q-8 12-12 13c-6 0-7-1-12-10l-6-16-4-17-2-7q-5-28-16-51l-10-15A52 55 0 0098 35a50 57 0 00-21-5c-11 0-28 3-42 22q6 4 11 10t6 18l4 22 1 5 4-10 1-2 1-3c2-4 8-16 14-15 1 0 5 0 9 8l7 18 4 17 2 9a239 207 0 0020 56l6 7a50 50 0 0039 18c14 0 37-7 52-39a256 268 0 0024-92q-2-10-4-12l-7-7'
