import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { below, requestJson } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface NextcloudProfile {
  ocs?: { data?: { id?: string; displayname?: string; email?: string | null } }
}

/**
 * `AUTH_NEXTCLOUD_ISSUER` is the address of the server, with `/index.php` at the end if its
 * addresses have that.
 *
 * {@link https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html}
 */
export function Nextcloud(
  options: OAuthUserConfig<NextcloudProfile> = {},
): OAuth2Config<NextcloudProfile> {
  return configure<NextcloudProfile>(
    {
      id: 'nextcloud',
      name: 'Nextcloud',
      type: 'oauth',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: below(options.issuer, '/apps/oauth2/authorize'),
      token: below(options.issuer, '/apps/oauth2/api/v1/token'),
      userinfo: {
        url: below(
          options.issuer?.replace(/\/index\.php\/?$/, ''),
          '/ocs/v2.php/cloud/user?format=json',
        ),
        request: ({ url, tokens, fetch }) =>
          requestJson<NextcloudProfile>(fetch, url, {
            headers: { Authorization: `Bearer ${tokens.access_token}`, 'OCS-APIRequest': 'true' },
          }),
      },
      profile({ ocs: { data: user } = {} }) {
        // Never verified: an administrator can enter any address.
        return {
          id: user?.id ?? '',
          name: user?.displayname,
          email: user?.email,
          username: user?.id,
        }
      },
      registration: { idName: 'Client Identifier', secretName: 'Secret' },
      style: { brandColor: '#0082c9', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M122 65c-27 0-47 17-54 40Q57 86 36 84A38 36 0 000 120a37 36 0 0036 36q21-2 32-21c8 24 25 38 50 39s49-15 54-40q11 21 34 22a37 37 0 0034-37 37 37 0 00-35-35q-24 2-32 21c-8-23-26-39-54-40m0 21c20 0 35 15 35 34s-15 33-33 34a35 36 0 01-35-32c0-21 16-36 35-36M40 106q8 2 11 15c-4 11-10 14-13 13a15 23 0 01-18-14q3-14 16-15m167 0q15 1 16 15c-1 11-7 14-15 15a15 15 0 01-14-16q1-13 16-14'
