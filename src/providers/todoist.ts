import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface TodoistProfile {
  id: string
  full_name?: string
  email?: string
  avatar_big?: string | null
}

/** {@link https://developer.todoist.com/guides/#oauth} */
export function Todoist(
  options: OAuthUserConfig<TodoistProfile> = {},
): OAuth2Config<TodoistProfile> {
  return configure<TodoistProfile>(
    {
      id: 'todoist',
      name: 'Todoist',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: { url: 'https://todoist.com/oauth/authorize', params: { scope: 'data:read' } },
      token: 'https://todoist.com/oauth/access_token',
      userinfo: 'https://api.todoist.com/api/v1/user',
      scopeSeparator: ',',
      profile({ id, full_name, email, avatar_big }) {
        return { id, name: full_name, email, image: avatar_big }
      },
      registration: { url: 'https://developer.todoist.com/appconsole.html' },
      style: { brandColor: '#e44332', logo: logo('black', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M21 0H3a3 3 0 0 0-3 3v3.86l4.1 2.38a1 1 0 0 0 1 0l8.14-4.68c.28-.16.58-.1.75 0l.84.47c.23.14.22.5 0 .62l-9.7 5.6q-.53.3-1.05 0L0 8.88v2.02l4.1 2.38a1 1 0 0 0 1 0l8.14-4.67a.8.8 0 0 1 .75-.01l.84.48c.23.13.22.5 0 .62l-9.7 5.59q-.53.3-1.05 0L0 12.93v2.02l4.1 2.38a1 1 0 0 0 1 0l8.14-4.68c.28-.16.58-.1.75 0l.84.47c.23.13.22.5 0 .62l-9.7 5.6q-.53.3-1.05 0L0 16.96V21a3 3 0 0 0 3 3h18a3 3 0 0 0 3-3V3a3 3 0 0 0-3-3'
