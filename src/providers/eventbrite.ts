import { oauthProvider } from './catalogue-entry.ts'

export interface EventbriteProfile {
  id: string
  name?: string
  emails?: readonly { email: string; verified: boolean; primary: boolean }[]
}

/** {@link https://www.eventbrite.com/platform/api#/introduction/authentication} */
export const Eventbrite = oauthProvider<EventbriteProfile>(() => ({
  id: 'eventbrite',
  name: 'Eventbrite',
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
}))
