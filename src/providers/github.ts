import { withQuery } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface GitHubProfile {
  id: number
  login?: string
  name?: string | null
  /** The public address, if the user has one. */
  email?: string | null
  avatar_url?: string
  html_url?: string
  /** Ours: the response of the second request; empty if the scope was not granted. */
  emails?: readonly { email: string; primary: boolean; verified: boolean }[]
}

/** {@link https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps} */
export const GitHub = oauthProvider<GitHubProfile>(() => ({
  id: 'github',
  name: 'GitHub',
  // GitHub sends it in every callback (RFC 9207).
  issuer: 'https://github.com/login/oauth',
  authorization: {
    url: 'https://github.com/login/oauth/authorize',
    params: { scope: 'read:user user:email' },
  },
  token: 'https://github.com/login/oauth/access_token',
  userinfo: {
    url: 'https://api.github.com/user',
    // Only the list of addresses says whether an address is verified.
    async request({ url, params, tokens, fetch }) {
      const headers = {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${tokens.access_token}`,
        'User-Agent': 'vestibule',
      }
      const [user, emails] = await Promise.all([
        fetch(withQuery(url, params).href, { headers }),
        fetch(`${url}/emails`, { headers }),
      ])
      if (!user.ok) throw new Error('The profile request failed.', { cause: user })
      return {
        ...((await user.json()) as GitHubProfile),
        emails: emails.ok ? await emails.json() : [],
      }
    },
  },
  promptParams: { prompt: 'select_account' },
  profile({ id, login, name, email, emails, avatar_url, html_url }) {
    const primary = emails?.find((address) => address.primary && address.verified)
    return {
      id: String(id ?? ''),
      name: name ?? login,
      email: primary?.email ?? email,
      emailVerified: primary !== undefined,
      image: avatar_url,
      username: login,
      url: html_url,
    }
  },
  registration: { url: 'https://github.com/settings/developers' },
  style: { brandColor: '#24292f', logo: logo('white', LOGO) },
}))

const LOGO =
  'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12'
