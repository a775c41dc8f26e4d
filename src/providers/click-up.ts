import { completeTokens } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface ClickUpProfile {
  user?: {
    id?: number
    username?: string
    email?: string
    profilePicture?: string | null
  }
}

/** {@link https://developer.clickup.com/docs/authentication} */
export const ClickUp = oauthProvider<ClickUpProfile>(() => ({
  id: 'click-up',
  name: 'ClickUp',
  checks: ['state'],
  authorization: 'https://app.clickup.com/api',
  token: { url: 'https://api.clickup.com/api/v2/oauth/token', normalizeResponse: completeTokens },
  userinfo: 'https://api.clickup.com/api/v2/user',
  profile({ user }) {
    return {
      id: String(user?.id ?? ''),
      name: user?.username,
      email: user?.email,
      image: user?.profilePicture,
    }
  },
  registration: { url: 'https://app.clickup.com/settings/apps' },
  style: { brandColor: '#7b68ee', logo: logo('black', LOGO) },
}))

const LOGO =
  'M2 18.439l3.69-2.828c1.961 2.56 4.044 3.739 6.363 3.739 2.307 0 4.33-1.166 6.203-3.704L22 18.405C19.298 22.065 15.941 24 12.053 24 8.178 24 4.788 22.078 2 18.439zM12.04 6.15l-6.568 5.66-3.036-3.52L12.055 0l9.543 8.296-3.05 3.509z'
