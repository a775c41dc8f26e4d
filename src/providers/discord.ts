import { configure } from './configure.ts'
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
      style: { brandColor: '#5865f2' },
    },
    options,
  )
}
