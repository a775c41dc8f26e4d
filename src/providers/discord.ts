import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface DiscordProfile {
  id: string
  username?: string
  /** The display name. */
  global_name?: string | null
  avatar?: string | null
  email?: string | null
  verified?: boolean
}

/** {@link https://discord.com/developers/docs/topics/oauth2} */
export function Discord(
  options: OAuthUserConfig<DiscordProfile> = {},
): OAuth2Config<DiscordProfile> {
  return configure<DiscordProfile>(
    {
      id: 'discord',
      name: 'Discord',
      type: 'oauth',
      jwks_endpoint: undefined,
      authorization: {
        url: 'https://discord.com/oauth2/authorize',
        params: { scope: 'identify email' },
      },
      token: 'https://discord.com/api/oauth2/token',
      userinfo: 'https://discord.com/api/v10/users/@me',
      promptParams: { prompt: 'consent' },
      profile({ id, username, global_name, avatar, email, verified }) {
        return {
          id,
          name: global_name ?? username,
          email,
          emailVerified: verified === true,
          image: avatar ? `https://cdn.discordapp.com/avatars/${id}/${avatar}.png` : undefined,
          username,
        }
      },
      registration: { url: 'https://discord.com/developers/applications' },
      style: { brandColor: '#5865f2', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M204 44a183 210 0 00-50-15l-7 12q-26-3-55 0l-6-13A195 192 0 0035 45Q-9 117 2 182q32 22 59 29h2q5-9 12-20l-19-9v-3l3-2q61 27 122 0l4 3v1l-20 10 13 21q30-9 61-31 7-77-36-137M85 154c-17 0-26-11-26-25s9-24 21-24 22 11 22 24-11 25-22 24m78 0c-11 0-21-15-20-25s8-23 23-23q18 2 21 24c-1 15-11 24-21 24'
