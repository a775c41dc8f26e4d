import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { requestJson } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

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
export function HubSpot(
  options: OAuthUserConfig<HubSpotProfile> = {},
): OAuth2Config<HubSpotProfile> {
  return configure<HubSpotProfile>(
    {
      id: 'hubspot',
      name: 'HubSpot',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
      token: 'https://api.hubapi.com/oauth/v1/token',
      userinfo: {
        url: 'https://api.hubapi.com/oauth/v1/access-tokens',
        request: ({ url, tokens, fetch }) =>
          requestJson<HubSpotProfile>(
            fetch,
            `${url}/${encodeURIComponent(tokens.access_token ?? '')}`,
          ),
      },
      profile({ user_id, user }) {
        return { id: String(user_id ?? ''), email: user }
      },
      registration: { url: 'https://app.hubspot.com/l/developer-overview' },
      style: { brandColor: '#ff7a59', logo: logo('black', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M18.16 7.93V5.08a2.2 2.2 0 0 0 1.27-1.97v-.07a2.2 2.2 0 0 0-2.2-2.2h-.06a2.2 2.2 0 0 0-2.2 2.2v.06a2.2 2.2 0 0 0 1.26 1.98h.01v2.86a6 6 0 0 0-2.97 1.3h.02l-7.83-6.1A2.5 2.5 0 1 0 4.3 4.66h-.01l7.7 6a6 6 0 0 0-1.04 3.44 6.2 6.2 0 0 0 1.14 3.6v-.01l-2.35 2.34a2 2 0 0 0-.58-.1 2.03 2.03 0 1 0 2.03 2.04 2 2 0 0 0-.1-.6v.02l2.32-2.32A6.25 6.25 0 1 0 18.2 7.94zm-.96 9.38a3.2 3.2 0 1 1 3.22-3.2 3.2 3.2 0 0 1-3.21 3.2z'
