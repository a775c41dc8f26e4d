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
      style: { brandColor: '#fc6d26' },
    },
    options,
  )
}
