import { below, requestJson, withQuery } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface NextcloudProfile {
  ocs?: { data?: { id?: string; displayname?: string; email?: string | null } }
}

/**
 * `AUTH_NEXTCLOUD_ISSUER` is the URL of the server, with `/index.php` at the end if its
 * URLs have that.
 *
 * {@link https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html}
 */
export const Nextcloud = oauthProvider<NextcloudProfile>((options) => ({
  id: 'nextcloud',
  name: 'Nextcloud',
  isSelfHosted: true,
  checks: ['state'],
  authorization: below(options.issuer, '/apps/oauth2/authorize'),
  token: below(options.issuer, '/apps/oauth2/api/v1/token'),
  userinfo: {
    url: below(options.issuer?.replace(/\/index\.php\/?$/, ''), '/ocs/v2.php/cloud/user'),
    params: { format: 'json' },
    request: ({ url, params, tokens, fetch }) =>
      requestJson<NextcloudProfile>(fetch, withQuery(url, params), {
        headers: { Authorization: `Bearer ${tokens.access_token}`, 'OCS-APIRequest': 'true' },
      }),
  },
  profile({ ocs: { data: user } = {} }) {
    // Never verified: an administrator can enter any address.
    return { id: user?.id ?? '', name: user?.displayname, email: user?.email, username: user?.id }
  },
  registration: { idName: 'Client Identifier', secretName: 'Secret' },
  style: { brandColor: '#0082c9', logo: logo('black', LOGO) },
}))

const LOGO =
  'M12.018 6.537c-2.5 0-4.6 1.712-5.241 4.015-.56-1.232-1.793-2.105-3.225-2.105A3.569 3.569 0 0 0 0 12a3.569 3.569 0 0 0 3.552 3.553c1.432 0 2.664-.874 3.224-2.106.641 2.304 2.742 4.016 5.242 4.016 2.487 0 4.576-1.693 5.231-3.977.569 1.21 1.783 2.067 3.198 2.067A3.568 3.568 0 0 0 24 12a3.569 3.569 0 0 0-3.553-3.553c-1.416 0-2.63.858-3.199 2.067-.654-2.284-2.743-3.978-5.23-3.977zm0 2.085c1.878 0 3.378 1.5 3.378 3.378 0 1.878-1.5 3.378-3.378 3.378A3.362 3.362 0 0 1 8.641 12c0-1.878 1.5-3.378 3.377-3.378zm-8.466 1.91c.822 0 1.467.645 1.467 1.468s-.644 1.467-1.467 1.468A1.452 1.452 0 0 1 2.085 12c0-.823.644-1.467 1.467-1.467zm16.895 0c.823 0 1.468.645 1.468 1.468s-.645 1.468-1.468 1.468A1.452 1.452 0 0 1 18.98 12c0-.823.644-1.467 1.467-1.467z'
