import { configure } from './configure.ts'
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

const PUBLIC = 'https://gitlab.com'

/**
 * GitLab, the public one or, by `AUTH_GITLAB_ISSUER`, one's own.
 *
 * {@link https://docs.gitlab.com/api/oauth2/}
 */
export function GitLab(options: OAuthUserConfig<GitLabProfile> = {}): OAuth2Config<GitLabProfile> {
  const base = (options.issuer ?? PUBLIC).replace(/\/$/, '')
  return configure<GitLabProfile>(
    {
      id: 'gitlab',
      name: 'GitLab',
      type: 'oauth',
      issuer: base,
      jwks_endpoint: undefined,
      authorization: { url: `${base}/oauth/authorize`, params: { scope: 'read_user' } },
      token: `${base}/oauth/token`,
      userinfo: `${base}/api/v4/user`,
      profile({ id, username, name, email, confirmed_at, avatar_url, web_url }) {
        return {
          id: String(id ?? ''),
          name: name ?? username,
          email,
          // Other installations may confirm addresses without asking anybody.
          emailVerified: base === PUBLIC && Boolean(confirmed_at),
          image: avatar_url,
          username,
          url: web_url,
        }
      },
      style: { brandColor: '#fc6d26' },
    },
    options,
  )
}
