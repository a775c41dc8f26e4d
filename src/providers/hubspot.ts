import { requestJson, withQuery } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface HubSpotProfile {
  user_id?: number
  /** The email address of the user. */
  user?: string
}

/**
 * HubSpot calls version 1 of its OAuth API, which reports the user, a legacy version.
 *
 * {@link https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/get-oauth-token-metadata}
 */
export const HubSpot = oauthProvider<HubSpotProfile>(() => ({
  id: 'hubspot',
  name: 'HubSpot',
  checks: ['state'],
  authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
  token: 'https://api.hubapi.com/oauth/v1/token',
  userinfo: {
    url: 'https://api.hubapi.com/oauth/v1/access-tokens',
    request: ({ url, params, tokens, fetch }) =>
      requestJson<HubSpotProfile>(
        fetch,
        withQuery(`${url}/${encodeURIComponent(tokens.access_token ?? '')}`, params),
      ),
  },
  profile({ user_id, user }) {
    return { id: String(user_id ?? ''), email: user }
  },
  registration: { url: 'https://app.hubspot.com/l/developer-overview' },
  style: { brandColor: '#ff7a59', logo: logo('black', LOGO) },
}))

const LOGO =
  'M18.164 7.93V5.084a2.198 2.198 0 001.267-1.978v-.067A2.2 2.2 0 0017.238.845h-.067a2.2 2.2 0 00-2.193 2.193v.067a2.196 2.196 0 001.252 1.973l.013.006v2.852a6.22 6.22 0 00-2.969 1.31l.012-.01-7.828-6.095A2.497 2.497 0 104.3 4.656l-.012.006 7.697 5.991a6.176 6.176 0 00-1.038 3.446c0 1.343.425 2.588 1.147 3.607l-.013-.02-2.342 2.343a1.968 1.968 0 00-.58-.095h-.002a2.033 2.033 0 102.033 2.033 1.978 1.978 0 00-.1-.595l.005.014 2.317-2.317a6.247 6.247 0 104.782-11.134l-.036-.005zm-.964 9.378a3.206 3.206 0 113.215-3.207v.002a3.206 3.206 0 01-3.207 3.207z'
