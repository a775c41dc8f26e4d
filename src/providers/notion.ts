import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface NotionProfile {
  id?: string
  name?: string | null
  avatar_url?: string | null
  person?: { email?: string }
}

interface NotionTokens {
  owner?: { user?: NotionProfile }
}

/**
 * The integration must be public, with access to the email addresses of users.
 *
 * {@link https://developers.notion.com/reference/create-a-token}
 */
export function Notion(options: OAuthUserConfig<NotionProfile> = {}): OAuth2Config<NotionProfile> {
  return configure<NotionProfile>(
    {
      id: 'notion',
      name: 'Notion',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: {
        url: 'https://api.notion.com/v1/oauth/authorize',
        params: { owner: 'user' },
      },
      token: 'https://api.notion.com/v1/oauth/token',
      // The token response has the profile.
      userinfo: { request: ({ tokens }) => (tokens as NotionTokens).owner?.user ?? {} },
      profile({ id = '', name, avatar_url, person }) {
        return { id, name, email: person?.email, image: avatar_url }
      },
      registration: {
        url: 'https://www.notion.so/my-integrations',
        idName: 'OAuth client ID',
        secretName: 'OAuth client secret',
      },
      style: { brandColor: '#000000', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M45 42c5 6 12 5 20 5l132-8c10 0 3-3 4-3l-22-16q-8-8-27-6L30 23q-8 2-3 5M53 177v40q2 4 8 5l153-9q6-3 5-11V75q1-18-3-21L56 64q0-2-4 7m144 9q3 9-9 10h-2V193q-15 7-9 4c-10 3-16 1-21-6l-47-73v68l15 5s-4 9-18 8l-27 1t0-5l12-5V98H79q-4-4 4-11l38-2 47 72V93l-13-2q2-10 13-9M23 10 159 0c13 0 15 1 25 8l43 30c6 5 8 7 8 10V216q1 14-23 15l-150 9q-14 0-18-8l-31-40q-9-11-8-21V25Q4 13 20 10'
