import { configure } from './configure.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface EventbriteProfile {
  id: string
  name?: string
  emails?: readonly { email: string; verified: boolean; primary: boolean }[]
}

/** {@link https://www.eventbrite.com/platform/api#/introduction/authentication} */
export function Eventbrite(
  options: OAuthUserConfig<EventbriteProfile> = {},
): OAuth2Config<EventbriteProfile> {
  return configure<EventbriteProfile>(
    {
      id: 'eventbrite',
      name: 'Eventbrite',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: 'https://www.eventbrite.com/oauth/authorize',
      token: 'https://www.eventbrite.com/oauth/token',
      userinfo: 'https://www.eventbriteapi.com/v3/users/me/',
      profile({ id, name, emails }) {
        const primary = emails?.find((address) => address.primary)
        return { id, name, email: primary?.email, emailVerified: primary?.verified === true }
      },
      registration: { url: 'https://www.eventbrite.com/account-settings/apps', idName: 'API key' },
      style: { brandColor: '#f05537' },
    },
    options,
  )
}
