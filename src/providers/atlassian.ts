import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

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
export const Atlassian = oauthProvider<AtlassianProfile>(() => ({
  id: 'atlassian',
  name: 'Atlassian',
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
  registration: { url: 'https://developer.atlassian.com/console/myapps/', secretName: 'Secret' },
  style: { brandColor: '#0052cc', logo: logo('white', LOGO) },
}))

const LOGO =
  'M7.12 11.084a.683.683 0 00-1.16.126L.075 22.974a.703.703 0 00.63 1.018h8.19a.678.678 0 00.63-.39c1.767-3.65.696-9.203-2.406-12.52zM11.434.386a15.515 15.515 0 00-.906 15.317l3.95 7.9a.703.703 0 00.628.388h8.19a.703.703 0 00.63-1.017L12.63.38a.664.664 0 00-1.196.006z'
