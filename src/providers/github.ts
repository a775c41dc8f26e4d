import { configure } from './configure.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

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
export function GitHub(options: OAuthUserConfig<GitHubProfile> = {}): OAuth2Config<GitHubProfile> {
  return configure<GitHubProfile>(
    {
      id: 'github',
      name: 'GitHub',
      type: 'oauth',
      // GitHub sends it in every callback (RFC 9207).
      issuer: 'https://github.com/login/oauth',
      jwks_endpoint: undefined,
      authorization: {
        url: 'https://github.com/login/oauth/authorize',
        params: { scope: 'read:user user:email' },
      },
      token: 'https://github.com/login/oauth/access_token',
      userinfo: {
        url: 'https://api.github.com/user',
        // Only the list of addresses says whether an address is verified.
        async request({ url, tokens, fetch }) {
          const headers = {
            Accept: 'application/vnd.github+json',
            Authorization: `Bearer ${tokens.access_token}`,
            'User-Agent': 'vestibule',
          }
          const [user, emails] = await Promise.all([
            fetch(url, { headers }),
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
      style: { brandColor: '#24292f' },
    },
    options,
  )
}
