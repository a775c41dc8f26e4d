import { configure } from './configure.ts'
import { logo } from './logo.ts'
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
      registration: { url: 'https://github.com/settings/developers' },
      style: { brandColor: '#24292f', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M123 3A119 120 0 0082 237q10 0 8-8V211c-32 6-41-16-40-16-6-17-16-18-15-19-9-6 3-7 3-6 10 0 18 12 18 13 11 17 27 12 34 9q4-14 8-16c-27-3-54-13-55-60q1-19 13-32c-2-3-5-11 0-31 1-1 11-3 33 12a120 120 0 0161 0c21-14 30-13 33-12 6 18 2 28 1 31q13 16 12 33c0 47-28 55-54 59q5 6 7 15v37q0 10 8 9A121 120 0 00119 3'
