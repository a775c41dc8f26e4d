import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { requestJson } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

interface BitbucketEmail {
  email: string
  is_primary: boolean
  is_confirmed: boolean
}

export interface BitbucketProfile {
  account_id: string
  nickname?: string
  display_name?: string
  links?: { avatar?: { href?: string }; html?: { href?: string } }
  emails?: readonly BitbucketEmail[]
}

/** {@link https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/} */
export function Bitbucket(
  options: OAuthUserConfig<BitbucketProfile> = {},
): OAuth2Config<BitbucketProfile> {
  return configure<BitbucketProfile>(
    {
      id: 'bitbucket',
      name: 'Bitbucket',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: {
        url: 'https://bitbucket.org/site/oauth2/authorize',
        params: { scope: 'account email' },
      },
      token: 'https://bitbucket.org/site/oauth2/access_token',
      userinfo: {
        url: 'https://api.bitbucket.org/2.0/user',
        async request({ url, tokens, fetch }) {
          const headers = { Authorization: `Bearer ${tokens.access_token}` }
          const [profile, { values }] = await Promise.all([
            requestJson<BitbucketProfile>(fetch, url, { headers }),
            requestJson<{ values: BitbucketEmail[] }>(fetch, `${url}/emails`, { headers }),
          ])
          return { ...profile, emails: values }
        },
      },
      profile({ account_id, nickname, display_name, links, emails }) {
        const primary = emails?.find(({ is_primary }) => is_primary)
        return {
          id: account_id,
          name: display_name,
          email: primary?.email,
          emailVerified: primary?.is_confirmed === true,
          image: links?.avatar?.href,
          username: nickname,
          url: links?.html?.href,
        }
      },
      registration: {
        url: 'https://bitbucket.org/account/workspaces/',
        idName: 'Key',
        secretName: 'Secret',
      },
      style: { brandColor: '#0052cc', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M.78 1.21a.77.77 0 0 0-.77.9l3.26 19.8c.09.5.52.87 1.02.88h15.66a.8.8 0 0 0 .77-.65l3.27-20.03a.77.77 0 0 0-.77-.89zm13.74 14.32h-5L8.17 8.47h7.56z'
