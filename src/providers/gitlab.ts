import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

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
 * GitLab.com, or a self-managed GitLab whose URL is `AUTH_GITLAB_ISSUER`.
 *
 * {@link https://docs.gitlab.com/api/oauth2/}
 */
export const GitLab = oauthProvider<GitLabProfile>((options) => {
  const base = (options.issuer ?? GITLAB_COM).replace(/\/$/, '')
  return {
    id: 'gitlab',
    name: 'GitLab',
    issuer: base,
    isSelfHosted: true,
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
  }
})

const LOGO =
  'm23.6004 9.5927-.0337-.0862L20.3.9814a.851.851 0 0 0-.3362-.405.8748.8748 0 0 0-.9997.0539.8748.8748 0 0 0-.29.4399l-2.2055 6.748H7.5375l-2.2057-6.748a.8573.8573 0 0 0-.29-.4412.8748.8748 0 0 0-.9997-.0537.8585.8585 0 0 0-.3362.4049L.4332 9.5015l-.0325.0862a6.0657 6.0657 0 0 0 2.0119 7.0105l.0113.0087.03.0213 4.976 3.7264 2.462 1.8633 1.4995 1.1321a1.0085 1.0085 0 0 0 1.2197 0l1.4995-1.1321 2.4619-1.8633 5.006-3.7489.0125-.01a6.0682 6.0682 0 0 0 2.0094-7.003z'
