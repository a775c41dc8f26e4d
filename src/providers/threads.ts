import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { completeTokens } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface ThreadsProfile {
  id: string
  username?: string
  name?: string
  threads_profile_picture_url?: string
}

/**
 * Threads sends no email address.
 *
 * {@link https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions}
 */
export function Threads(
  options: OAuthUserConfig<ThreadsProfile> = {},
): OAuth2Config<ThreadsProfile> {
  return configure<ThreadsProfile>(
    {
      id: 'threads',
      name: 'Threads',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: {
        url: 'https://threads.com/oauth/authorize',
        params: { scope: 'threads_basic' },
      },
      token: {
        url: 'https://graph.threads.com/oauth/access_token',
        normalizeResponse: completeTokens,
      },
      userinfo: {
        url: 'https://graph.threads.com/v1.0/me',
        params: { fields: 'id,username,name,threads_profile_picture_url' },
      },
      scopeSeparator: ',',
      profile({ id, username, name, threads_profile_picture_url }) {
        return { id, name: name ?? username, image: threads_profile_picture_url, username }
      },
      registration: {
        url: 'https://developers.facebook.com/apps',
        idName: 'Threads app ID',
        secretName: 'Threads app secret',
      },
      style: { brandColor: '#000000', logo: logo('white', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M182 110c1-34-19-55-51-55-21 0-39 10-48 25l21 15c4-9 9-14 25-16s25 12 26 24a170 129 0 00-27-1c-38 1-55 19-56 43s21 39 45 40c34 1 52-20 61-47 9 1 13 15 14 23 0 35-40 53-70 54-51 0-83-31-84-86 2-63 42-103 98-103 41-1 58 17 71 38l21-14c-13-29-45-50-90-50C61 0 12 53 12 129c-1 70 50 111 107 111 50 0 99-28 99-77 0-26-14-42-35-52m-59 49c-16 0-24-6-25-14 0-15 14-20 38-20q3 0 18 1c-5 19-16 33-38 33'
