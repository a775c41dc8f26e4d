import { completeTokens, fullName } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'

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
export const WorkOS = oauthProvider<WorkOSProfile>(() => ({
  id: 'workos',
  name: 'WorkOS',
  checks: ['state'],
  authorization: 'https://api.workos.com/sso/authorize',
  token: { url: 'https://api.workos.com/sso/token', normalizeResponse: completeTokens },
  userinfo: 'https://api.workos.com/sso/profile',
  profile({ id, first_name, last_name, email, raw_attributes }) {
    return { id, name: fullName(first_name, last_name), email, image: raw_attributes?.picture }
  },
  registration: { url: 'https://dashboard.workos.com', secretName: 'API key' },
  style: { brandColor: '#6363f1' },
}))
