import { configure } from './configure.ts'
import { svg } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { below, fullName } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface ZohoProfile {
  ZUID: number
  Display_Name?: string
  First_Name?: string
  Last_Name?: string
  Email?: string
}

/**
 * `AUTH_ZOHO_ISSUER` is needed for data centres outside of the USA, such as
 * `https://accounts.zoho.eu`. Only users of one data centre can sign in.
 *
 * {@link https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html}
 */
export function Zoho(options: OAuthUserConfig<ZohoProfile> = {}): OAuth2Config<ZohoProfile> {
  const { issuer = 'https://accounts.zoho.com' } = options
  return configure<ZohoProfile>(
    {
      id: 'zoho',
      name: 'Zoho',
      type: 'oauth',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      issuer,
      checks: ['state'],
      authorization: {
        url: below(issuer, '/oauth/v2/auth'),
        params: { scope: 'AaaServer.profile.Read' },
      },
      token: below(issuer, '/oauth/v2/token'),
      userinfo: below(issuer, '/oauth/user/info'),
      promptParams: { prompt: 'consent' },
      scopeSeparator: ',',
      profile({ ZUID, Display_Name, First_Name, Last_Name, Email }) {
        return {
          id: String(ZUID ?? ''),
          name: fullName(First_Name, Last_Name) ?? Display_Name,
          email: Email,
        }
      },
      registration: { url: 'https://api-console.zoho.com' },
      style: { brandColor: '#e42527', logo: svg(LOGO) },
    },
    options,
  )
}

/** The mark of Simple Icons, with one square that is turned around three points. */
const LOGO =
  "<path id='a' fill='white' d='M18.45 8.26h4.3A1.25 1.25 0 0 1 24 9.51v4.3a1.25 1.25 0 0 1-1.25 1.25h-4.3a1.25 1.25 0 0 1-1.25-1.25v-4.3a1.25 1.25 0 0 1 1.25-1.25m0 .7a.55.55 0 0 0-.55.55v4.3a.55.55 0 0 0 .55.55h4.3a.55.55 0 0 0 .55-.55v-4.3a.55.55 0 0 0-.55-.55z'/><use href='#a' transform='rotate(-9 10.2 118.9)'/><use href='#a' transform='rotate(24 16.7 -14.3)'/><use href='#a' transform='rotate(-8 16.1 49.1)'/><path fill='white' d='M7.42 15.93h.84v.17l-.55.78h.57v.19h-.9v-.16l.57-.79h-.53zm5.32 0h.21v.46h.56v-.46h.21v1.14h-.21v-.49h-.56v.49h-.21zM10.47 15.9a.6.6 0 1 1-.01 0zm0 .2a.4.4 0 1 0 .01 0zM16 15.9a.6.6 0 1 1-.01 0zm0 .2a.4.4 0 1 0 .01 0z'/>"
