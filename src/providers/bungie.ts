import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { requestJson } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface BungieProfile {
  Response?: {
    bungieNetUser?: {
      membershipId?: string
      displayName?: string
      uniqueName?: string
      profilePicturePath?: string
    }
  }
}

/**
 * The app's API key is set in code: `Bungie({ userinfo: { params: { apiKey: '…' } } })`. Scopes
 * are configured in the app, which must be a confidential client.
 *
 * {@link https://github.com/Bungie-net/api/wiki/OAuth-Documentation}
 */
export function Bungie(options: OAuthUserConfig<BungieProfile> = {}): OAuth2Config<BungieProfile> {
  return configure<BungieProfile>(
    {
      id: 'bungie',
      name: 'Bungie',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: 'https://www.bungie.net/en/OAuth/Authorize',
      token: 'https://www.bungie.net/Platform/App/OAuth/token/',
      userinfo: {
        url: 'https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/',
        request: ({ url, params: { apiKey = '' }, tokens, fetch }) =>
          requestJson<BungieProfile>(fetch, url, {
            headers: { Authorization: `Bearer ${tokens.access_token}`, 'X-API-Key': apiKey },
          }),
      },
      promptParams: { reauth: 'true' },
      profile({ Response: { bungieNetUser: user } = {} }) {
        return {
          id: user?.membershipId ?? '',
          name: user?.displayName,
          image: user?.profilePicturePath && `https://www.bungie.net${user.profilePicturePath}`,
          username: user?.uniqueName,
        }
      },
      registration: {
        url: 'https://www.bungie.net/en/Application',
        idName: 'OAuth client_id',
        secretName: 'OAuth client_secret',
      },
      style: { brandColor: '#0075bb', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

/** The mark of Simple Icons, simplified. */
const LOGO =
  'M239 128l-11-8V5l-104 5L20 5V34L5 28q-7-1-3 5l18 12v77c4 53 65 94 104 113 34-16 93-54 103-105l11 4q3-4 1-6M24 9l101 4 99-4V117l-5-4V13l-95 5-95-5V38l-5-3m159 3V33h17l-10 23h-5l8-18M24 47l5 3v71c3 50 59 86 95 106 29-17 88-50 95-102l5 4c-9 45-63 85-100 102-35-19-97-56-100-110m80-61 28 12-6 11-14-4-2 2 12 7 5 11 20 13-2 8 2 12q-21 23-41-3l3-14-17-30m16-26 9-14 11 7-7 13m2 1 8-12 11 6-7 11m-6 15 15-24 10 6-15 24m3 1 13-22 9 5-14 22M3 31l69 26-1-24 33 24-9 15-8-6-5 14m42 6 27 15 5-7 11 8 3-22 67 50-56-26-4 25-46-31M67 127c-9-9-5-18 7-13q18 3 22 8l-7 7q15 3 25 11 8 13 34-2 34-11 37 8l-4 8 6 1-7 15 1-8q-11-1-11-10l7-4q0-5-28 3-26 17-43-2-17-8-26-10 2-4 3-8 0-9-11-9-1 9-6 9m32 39 3-2 10 9 7-5 2 2-6 4 11 9 9-10-6-2 2-3 7 5 10-9 3 2-11 10 3 6-2 2-3-6-9 8 12 12h-5l-11-9-11 9h-5l12-12-9-8-3 6-2-2 3-7'
