import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { fullName } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface StravaProfile {
  id: number
  username?: string | null
  firstname?: string
  lastname?: string
  /** The address of a picture. */
  profile?: string
}

/**
 * Strava sends no email address.
 *
 * {@link https://developers.strava.com/docs/authentication/}
 */
export function Strava(options: OAuthUserConfig<StravaProfile> = {}): OAuth2Config<StravaProfile> {
  return configure<StravaProfile>(
    {
      id: 'strava',
      name: 'Strava',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: { url: 'https://www.strava.com/oauth/authorize', params: { scope: 'read' } },
      token: 'https://www.strava.com/api/v3/oauth/token',
      userinfo: 'https://www.strava.com/api/v3/athlete',
      promptParams: { approval_prompt: 'force' },
      scopeSeparator: ',',
      profile({ id, username, firstname, lastname, profile: image }) {
        return { id: String(id ?? ''), name: fullName(firstname, lastname), image, username }
      },
      registration: { url: 'https://www.strava.com/settings/api' },
      style: { brandColor: '#fc4c02', logo: logo('black', LOGO) },
    },
    options,
  )
}

const LOGO =
  'm15.39 17.94-2.1-4.11h-3.06L15.4 24l5.15-10.17h-3.07m-7-5.6 2.83 5.6h4.17L10.47 0l-7 13.83h4.16'
