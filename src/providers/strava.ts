import { fullName } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

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
export const Strava = oauthProvider<StravaProfile>(() => ({
  id: 'strava',
  name: 'Strava',
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
}))

const LOGO =
  'M15.387 17.944l-2.089-4.116h-3.065L15.387 24l5.15-10.172h-3.066m-7.008-5.599l2.836 5.598h4.172L10.463 0l-7 13.828h4.169'
