import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { below } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface MastodonProfile {
  id: string
  username?: string
  display_name?: string
  avatar_static?: string
  url?: string
}

/**
 * `AUTH_MASTODON_ISSUER` is the address of one server, such as `https://mastodon.social`. Mastodon
 * sends no email address.
 *
 * {@link https://docs.joinmastodon.org/methods/accounts/#verify_credentials}
 */
export function Mastodon(
  options: OAuthUserConfig<MastodonProfile> = {},
): OAuth2Config<MastodonProfile> {
  return configure<MastodonProfile>(
    {
      id: 'mastodon',
      name: 'Mastodon',
      type: 'oauth',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      authorization: {
        url: below(options.issuer, '/oauth/authorize'),
        params: { scope: 'read:accounts' },
      },
      token: below(options.issuer, '/oauth/token'),
      userinfo: below(options.issuer, '/api/v1/accounts/verify_credentials'),
      promptParams: { force_login: 'true' },
      profile({ id, username, display_name, avatar_static, url }) {
        return { id, name: display_name || username, image: avatar_static, username, url }
      },
      registration: { idName: 'Client key' },
      style: { brandColor: '#6364ff', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M232 50A62 58 0 00179 3c4 0-22-3-61-3S73 2 65 3C39 7 15 24 9 52q-4 20-2 48 0 11 2 49l6 35c7 24 28 41 50 49a132 129 0 0079 2q9-2 19-8V208a200 195 0 01-55 5c-17-1-27-11-30-19l-2-13q28 5 49 5h15l39-4c30-5 52-21 54-60V110c0-17 2-40-1-62m-37 97H170V87q0-24-17-24-19 0-19 27v31H109V90q1-28-20-27-16 2-15 21v61H48V91q-1-29 10-41t28-12q19 0 29 15l7 11 6-10q10-17 32-16 15 1 25 12t10 27'
