import { configure } from './configure.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { completeTokens, fullName } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface WorkOSProfile {
  id: string
  first_name?: string | null
  last_name?: string | null
  email?: string
  raw_attributes?: { picture?: string }
}

/**
 * WorkOS needs to know where users sign in: `WorkOS({ authorization: { params: { organization:
 * 'org_…' } } })`, or `connection` or `provider` instead of `organization`.
 *
 * {@link https://workos.com/docs/reference/sso/profile}
 */
export function WorkOS(options: OAuthUserConfig<WorkOSProfile> = {}): OAuth2Config<WorkOSProfile> {
  return configure<WorkOSProfile>(
    {
      id: 'workos',
      name: 'WorkOS',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: 'https://api.workos.com/sso/authorize',
      token: { url: 'https://api.workos.com/sso/token', normalizeResponse: completeTokens },
      userinfo: 'https://api.workos.com/sso/profile',
      profile({ id, first_name, last_name, email, raw_attributes }) {
        return { id, name: fullName(first_name, last_name), email, image: raw_attributes?.picture }
      },
      registration: { url: 'https://dashboard.workos.com', secretName: 'API key' },
      style: { brandColor: '#6363f1' },
    },
    options,
  )
}
