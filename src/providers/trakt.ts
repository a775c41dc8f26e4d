import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { requestJson } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface TraktProfile {
  user?: {
    username?: string
    name?: string
    /** The slug changes with the username. */
    ids?: { slug?: string; uuid?: string }
    images?: { avatar?: { full?: string } }
  }
}

/**
 * Trakt sends no email address.
 *
 * {@link https://docs.trakt.tv/reference/authentication}
 */
export function Trakt(options: OAuthUserConfig<TraktProfile> = {}): OAuth2Config<TraktProfile> {
  return configure<TraktProfile>(
    {
      id: 'trakt',
      name: 'Trakt',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: 'https://trakt.tv/oauth/authorize',
      token: 'https://api.trakt.tv/oauth/token',
      userinfo: {
        url: 'https://api.trakt.tv/users/settings',
        request: ({ url, tokens, fetch, clientId }) =>
          requestJson<TraktProfile>(fetch, url, {
            headers: {
              Authorization: `Bearer ${tokens.access_token}`,
              'trakt-api-version': '2',
              'trakt-api-key': clientId,
            },
          }),
      },
      profile({ user }) {
        return {
          id: user?.ids?.uuid ?? '',
          name: user?.name || user?.username,
          image: user?.images?.avatar?.full,
          username: user?.username,
        }
      },
      registration: { url: 'https://trakt.tv/oauth/applications' },
      style: { brandColor: '#9f42c6', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M151 151l-7-7 95-96V42L136 144l12 10-8 8-18-18L236 30q-5 2-3-4L115 144l21 21-6 8-73-72 7-8 44 43L225 19A55 64 0 00187 0H56A57 56 0 000 54V184a57 56 0 0055 56H185a57 56 0 0055-56V62M108 130 68 90l8-7 39 39m4-3-40-40 8-7 38 39m92 64a42 41 0 01-41 42H65a42 41 0 01-42-41V65a42 41 0 0142-42H168V34H59A30 32 0 0033 65V172a30 33 0 0035 34H182a31 30 0 0024-34V158h11'
