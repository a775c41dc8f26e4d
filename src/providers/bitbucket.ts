import { requestJson, withQuery } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

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
export const Bitbucket = oauthProvider<BitbucketProfile>(() => ({
  id: 'bitbucket',
  name: 'Bitbucket',
  checks: ['state'],
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  authorization: {
    url: 'https://bitbucket.org/site/oauth2/authorize',
    params: { scope: 'account email' },
  },
  token: 'https://bitbucket.org/site/oauth2/access_token',
  userinfo: {
    url: 'https://api.bitbucket.org/2.0/user',
    async request({ url, params, tokens, fetch }) {
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      const [profile, { values }] = await Promise.all([
        requestJson<BitbucketProfile>(fetch, withQuery(url, params), { headers }),
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
}))

const LOGO =
  'M.778 1.213a.768.768 0 00-.768.892l3.263 19.81c.084.5.515.868 1.022.873H19.95a.772.772 0 00.77-.646l3.27-20.03a.768.768 0 00-.768-.891zM14.52 15.53H9.522L8.17 8.466h7.561z'
