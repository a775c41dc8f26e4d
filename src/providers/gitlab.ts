import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface GitLabProfile {
  id: number
  username?: string
  name?: string
  email?: string
  confirmed_at?: string | null
  avatar_url?: string | null
  web_url?: string
}

const GITLAB_COM = 'https://gitlab.com'

/**
 * GitLab.com, or a self-managed GitLab whose address is `AUTH_GITLAB_ISSUER`.
 *
 * {@link https://docs.gitlab.com/api/oauth2/}
 */
export function GitLab(options: OAuthUserConfig<GitLabProfile> = {}): OAuth2Config<GitLabProfile> {
  const base = (options.issuer ?? GITLAB_COM).replace(/\/$/, '')
  return configure<GitLabProfile>(
    {
      id: 'gitlab',
      name: 'GitLab',
      type: 'oauth',
      issuer: base,
      isSelfHosted: true,
      jwks_endpoint: undefined,
      authorization: { url: `${base}/oauth/authorize`, params: { scope: 'read_user' } },
      token: `${base}/oauth/token`,
      userinfo: `${base}/api/v4/user`,
      profile({ id, username, name, email, confirmed_at, avatar_url, web_url }) {
        return {
          id: String(id ?? ''),
          name: name ?? username,
          email,
          // A self-managed GitLab may mark addresses as confirmed without verifying them.
          emailVerified: base === GITLAB_COM && Boolean(confirmed_at),
          image: avatar_url,
          username,
          url: web_url,
        }
      },
      registration: {
        url: 'https://gitlab.com/-/user_settings/applications',
        idName: 'Application ID',
        secretName: 'Secret',
      },
      style: { brandColor: '#fc6d26', logo: logo('black', LOGO) },
    },
    options,
  )
}

const LOGO =
  'm23.6 9.6-.03-.1L20.3.99a1 1 0 0 0-.34-.4.9.9 0 0 0-1 .05 1 1 0 0 0-.29.44l-2.2 6.75H7.54l-2.2-6.75a1 1 0 0 0-.3-.44.9.9 0 0 0-1-.05 1 1 0 0 0-.33.4L.43 9.5l-.03.1a6.1 6.1 0 0 0 2.01 7l.01.02.03.02 4.98 3.72 2.46 1.87 1.5 1.13a1 1 0 0 0 1.22 0l1.5-1.13 2.46-1.87 5-3.74.02-.01a6.1 6.1 0 0 0 2.01-7'
