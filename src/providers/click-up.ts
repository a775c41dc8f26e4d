import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { completeTokens } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface ClickUpProfile {
  user?: {
    id?: number
    username?: string
    email?: string
    profilePicture?: string | null
  }
}

/** {@link https://developer.clickup.com/docs/authentication} */
export function ClickUp(
  options: OAuthUserConfig<ClickUpProfile> = {},
): OAuth2Config<ClickUpProfile> {
  return configure<ClickUpProfile>(
    {
      id: 'click-up',
      name: 'ClickUp',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: 'https://app.clickup.com/api',
      token: {
        url: 'https://api.clickup.com/api/v2/oauth/token',
        normalizeResponse: completeTokens,
      },
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
    },
    options,
  )
}

const LOGO =
  'm2 18.44 3.69-2.83c1.96 2.56 4.04 3.74 6.36 3.74 2.31 0 4.33-1.17 6.2-3.7L22 18.4c-2.7 3.67-6.06 5.6-9.95 5.6C8.18 24 4.8 22.08 2 18.44M12.04 6.15l-6.57 5.66-3.03-3.52L12.05 0l9.55 8.3-3.05 3.5z'
