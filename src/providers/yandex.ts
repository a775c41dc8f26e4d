import { requestJson, withQuery } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'

export interface YandexProfile {
  id: string
  login?: string
  display_name?: string
  real_name?: string
  default_email?: string
  default_avatar_id?: string
  is_avatar_empty?: boolean
}

/** {@link https://yandex.ru/dev/id/doc/en/user-information} */
export const Yandex = oauthProvider<YandexProfile>(() => ({
  id: 'yandex',
  name: 'Yandex',
  authorization: {
    url: 'https://oauth.yandex.ru/authorize',
    params: { scope: 'login:info login:email login:avatar' },
  },
  token: 'https://oauth.yandex.ru/token',
  userinfo: {
    url: 'https://login.yandex.ru/info',
    params: { format: 'json' },
    request: ({ url, params, tokens, fetch }) =>
      requestJson<YandexProfile>(fetch, withQuery(url, params), {
        headers: { Authorization: `OAuth ${tokens.access_token}` },
      }),
  },
  promptParams: { force_confirm: 'yes' },
  profile({
    id,
    login,
    display_name,
    real_name,
    default_email,
    default_avatar_id,
    is_avatar_empty,
  }) {
    const hasPicture = default_avatar_id && is_avatar_empty !== true
    return {
      id,
      name: real_name || display_name,
      email: default_email,
      image: hasPicture
        ? `https://avatars.yandex.net/get-yapic/${default_avatar_id}/islands-200`
        : undefined,
      username: login,
    }
  },
  registration: { url: 'https://oauth.yandex.ru', idName: 'ClientID' },
  style: { brandColor: '#fc3f1d' },
}))
