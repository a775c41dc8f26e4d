import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface OsuProfile {
  id: number
  username?: string
  avatar_url?: string
}

/**
 * osu! sends no email address.
 *
 * {@link https://osu.ppy.sh/docs/index.html#authentication}
 */
export function Osu(options: OAuthUserConfig<OsuProfile> = {}): OAuth2Config<OsuProfile> {
  return configure<OsuProfile>(
    {
      id: 'osu',
      name: 'osu!',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: { url: 'https://osu.ppy.sh/oauth/authorize', params: { scope: 'identify' } },
      token: 'https://osu.ppy.sh/oauth/token',
      userinfo: 'https://osu.ppy.sh/api/v2/me',
      profile({ id, username, avatar_url }) {
        return { id: String(id ?? ''), name: username, image: avatar_url, username }
      },
      registration: { url: 'https://osu.ppy.sh/home/account/edit#new-oauth-application' },
      style: { brandColor: '#ff66aa', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M78 104l-8-6-10-2-9 2q-5 2-8 6l-4 7-1 11 1 8 3 7 7 6q4 2 12 2t12-3 5-5l3-6 1-4V114M67 132q0 3-7 3t-8-5l-1-5q-1-11 2-15t7-4 7 4 3 9-3 14m119-9-1-44 4-1h10V99l-1 25m1 11v9H185V131h14M179 98h-5v45l-14 2-21-1h5l-7-5q1 1-3-6l-1-8V97h13v31l2 4 3 2h10V97m-37 27v9l-1 2q-3 5-1 3l-6 5-13 3h2l-15-3V133v8l2-8 14 3h-1l7-4-1-5-8-3-4-1-6-4q-3-4-2-10t5-9 15-4h-1l13 3-1 5-2 4-8-2h-5l-3 2v5h1l5 2q-4-1 7 2l4 3M120 0C53 0 0 54 0 120s53 120 120 120 120-54 120-120S187 0 120 0m0 228c-60 0-108-49-108-108S60 12 120 12s108 48 108 108-49 108-108 108'
