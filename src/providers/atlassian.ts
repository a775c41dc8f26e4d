import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface AtlassianProfile {
  account_id: string
  name?: string
  email?: string
  picture?: string
}

/**
 * The app needs the User identity API with the permission `read:me`.
 *
 * {@link https://developer.atlassian.com/cloud/jira/software/oauth-2-3lo-apps/}
 */
export function Atlassian(
  options: OAuthUserConfig<AtlassianProfile> = {},
): OAuth2Config<AtlassianProfile> {
  return configure<AtlassianProfile>(
    {
      id: 'atlassian',
      name: 'Atlassian',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: {
        url: 'https://auth.atlassian.com/authorize',
        params: { audience: 'api.atlassian.com', scope: 'read:me' },
      },
      token: 'https://auth.atlassian.com/oauth/token',
      userinfo: 'https://api.atlassian.com/me',
      promptParams: { prompt: 'consent' },
      profile({ account_id, name, email, picture }) {
        return { id: account_id, name, email, image: picture }
      },
      registration: {
        url: 'https://developer.atlassian.com/console/myapps/',
        secretName: 'Secret',
      },
      style: { brandColor: '#0052cc', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M7.12 11.08a.68.68 0 0 0-1.16.13L.08 22.97A.7.7 0 0 0 .7 24h8.2a.7.7 0 0 0 .62-.39c1.77-3.65.7-9.2-2.4-12.52zM11.43.38a15.5 15.5 0 0 0-.9 15.32l3.95 7.9a.7.7 0 0 0 .63.4h8.19a.7.7 0 0 0 .63-1.03L12.63.38a.66.66 0 0 0-1.2 0'
