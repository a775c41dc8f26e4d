import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { completeTokens, fullName } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface FoursquareProfile {
  response?: {
    user?: {
      id?: string
      firstName?: string
      lastName?: string
      contact?: { email?: string }
      photo?: { prefix?: string; suffix?: string }
    }
  }
}

/** {@link https://docs.foursquare.com/developer/reference/authentication-v2} */
export function Foursquare(
  options: OAuthUserConfig<FoursquareProfile> = {},
): OAuth2Config<FoursquareProfile> {
  return configure<FoursquareProfile>(
    {
      id: 'foursquare',
      name: 'Foursquare',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: 'https://foursquare.com/oauth2/authenticate',
      token: {
        url: 'https://foursquare.com/oauth2/access_token',
        normalizeResponse: completeTokens,
      },
      // The version is the date for which the response was read last.
      userinfo: { url: 'https://api.foursquare.com/v2/users/self', params: { v: '20230131' } },
      profile({ response: { user } = {} }) {
        const { prefix, suffix } = user?.photo ?? {}
        return {
          id: user?.id ?? '',
          name: fullName(user?.firstName, user?.lastName),
          email: user?.contact?.email,
          image: prefix && suffix && `${prefix}original${suffix}`,
        }
      },
      registration: { url: 'https://foursquare.com/developers/home' },
      style: { brandColor: '#3333ff', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M24-1H97V12H36V46H90V58H36v48H24m-4 96 14-3c1 15 12 24 30 23 14 0 25-6 25-18 0-9-5-14-30-22-24-7-35-17-34-31 0-19 15-28 36-28 23 0 35 12 38 29l-12 2c-2-12-11-19-26-19s-24 5-24 16c1 6 7 14 26 19 28 9 39 17 39 35-1 19-19 31-41 30s-36-13-39-32m92-24c0-31 20-56 52-56s53 25 52 57c0 17-5 29-14 38a360 360 0 0113 14l-9 8-13-14q-13 9-27 9c-32 0-54-23-54-55m72 38a306 310 0 00-13-12l9-9a370 370 0 0113 13 51 50 0 0010-34c0-22-16-41-39-41s-39 19-39 44 17 44 40 44q8 0 18-5'
