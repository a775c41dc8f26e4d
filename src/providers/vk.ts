import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { dropIdToken, fullName, requestJson } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface VkProfile {
  user?: {
    user_id?: string
    first_name?: string
    last_name?: string
    email?: string
    avatar?: string
  }
}

/**
 * VK ID, which replaces the API at oauth.vk.com. Access to the email address must be enabled in
 * the app.
 *
 * {@link https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/intro/plan}
 */
export function Vk(options: OAuthUserConfig<VkProfile> = {}): OAuth2Config<VkProfile> {
  return configure<VkProfile>(
    {
      id: 'vk',
      name: 'VK',
      type: 'oauth',
      jwks_endpoint: undefined,
      authorization: {
        url: 'https://id.vk.com/authorize',
        params: { scope: 'vkid.personal_info email' },
      },
      token: { url: 'https://id.vk.com/oauth2/auth', normalizeResponse: dropIdToken },
      userinfo: {
        url: 'https://id.vk.com/oauth2/user_info',
        request: ({ url, tokens, fetch, clientId }) =>
          requestJson<VkProfile>(fetch, url, {
            method: 'POST',
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({
              client_id: clientId,
              access_token: tokens.access_token ?? '',
            }).toString(),
          }),
      },
      callbackParameters: ['device_id', 'state'],
      promptParams: { prompt: 'login' },
      profile({ user }) {
        return {
          id: user?.user_id ?? '',
          name: fullName(user?.first_name, user?.last_name),
          email: user?.email,
          image: user?.avatar,
        }
      },
      registration: {
        url: 'https://id.vk.com/about/business/go',
        idName: 'App ID',
        secretName: 'Protected key',
      },
      style: { brandColor: '#0077ff', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M91 0h58l34 1h-3q31 3 43 16 13 12 15 38V50l2 31v72l-1 26q-3 33-16 44-13 14-40 15h9l-36 2H91l-34-1h1q-30-4-41-15-13-14-15-37v4l-2-32V87l1-27v3q2-34 16-46Q29 4 55 2H53l8-1m7 72H41c0 61 32 100 86 100h4V136a60 44 0 0140 37h30a77 82 0 00-41-50 96 76 0 0034-50H169c-7 20-23 39-38 39V73H105v69c-14-2-36-23-37-66'
