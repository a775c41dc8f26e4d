import type { ClientAuth } from 'oauth4webapi'
import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { BoundedFetch, OAuth2Config } from './oauth-types.ts'
import { requestJson, withQuery } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

const TOKEN_ENDPOINT = 'https://api.weixin.qq.com/sns/oauth2/access_token'

/** The `errcode` of a request that can be sent again later. */
const BUSY = -1

export interface WeChatProfile {
  openid?: string
  unionid?: string
  nickname?: string
  headimgurl?: string
}

/**
 * The login of websites with a QR code. The login inside the WeChat app needs a fragment in the
 * address, which OAuth does not allow. The user is the same in all apps of one developer account
 * (`unionid`).
 *
 * {@link https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html}
 */
export function WeChat(options: OAuthUserConfig<WeChatProfile> = {}): OAuth2Config<WeChatProfile> {
  return configure<WeChatProfile>(
    {
      id: 'wechat',
      name: 'WeChat',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      clientIdParameter: 'appid',
      clientAuth: AppSecret,
      customFetch: sendInQuery,
      authorization: {
        url: 'https://open.weixin.qq.com/connect/qrconnect',
        params: { scope: 'snsapi_login' },
      },
      token: { url: TOKEN_ENDPOINT, normalizeResponse: exposeErrcode },
      userinfo: {
        url: 'https://api.weixin.qq.com/sns/userinfo',
        request: ({ url, tokens: { access_token = '', openid }, fetch }) =>
          requestJson<WeChatProfile>(
            fetch,
            withQuery(url, { access_token, openid: String(openid) }),
          ),
      },
      scopeSeparator: ',',
      accountIdFromTokens: ({ openid }) => (typeof openid === 'string' ? openid : undefined),
      profile({ openid = '', unionid, nickname, headimgurl }) {
        return { id: openid, name: nickname, image: headimgurl, unionId: unionid }
      },
      registration: { url: 'https://open.weixin.qq.com', idName: 'AppID', secretName: 'AppSecret' },
      style: { brandColor: '#07c160', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

/** WeChat has its own names for the client's id and secret. */
function AppSecret(secret: string): ClientAuth {
  return (_server, { client_id }, body) => {
    body.set('appid', client_id)
    body.set('secret', secret)
  }
}

/** Token requests are GET requests. Refresh tokens have an endpoint of their own. */
function sendInQuery(fetch: BoundedFetch): BoundedFetch {
  return (url, init) => {
    const params = new URLSearchParams(String(init?.body))
    const isRefresh = params.get('grant_type') === 'refresh_token'
    const endpoint = isRefresh ? url.replace('access_token', 'refresh_token') : url
    return fetch(`${endpoint}?${params}`, { headers: { Accept: 'application/json' } })
  }
}

/** Errors have status 200 and an `errcode`. The content is JSON, sent as text. */
async function exposeErrcode(response: Response): Promise<Response> {
  if (!response.ok) return response
  const { errcode, errmsg, ...tokens } = (await response.json()) as {
    errcode?: number
    errmsg?: string
  }
  if (!errcode) return Response.json({ token_type: 'bearer', ...tokens })
  const error = { error: 'invalid_grant', error_description: errmsg }
  return Response.json(error, { status: errcode === BUSY ? 503 : 400 })
}

const LOGO =
  'M87 22C39 22 0 55 0 95a76 71 0 0030 56l3 3-5 19v-1q-1 5 2 5h2l19-11 5-1 27 4H95c-8-28 2-51 19-65s38-20 59-19c-6-35-42-63-86-63M56 60q12 0 13 10A12 10 0 0156 83a13 9 0 01-9-7q-2-14 9-16m61 0q9 1 11 12a11 13 0 01-14 11 13 9 0 01-9-10q-1-12 11-13m41 29a78 75 0 00-40 17 54 55 0 00-18 64c10 24 37 41 69 41q16-1 21-3h7l18 10h2q-1 1 1-2l-4-15v-2l2-3a71 61 0 0025-46c0-33-30-59-68-61m-34 31q15 1 16 11a9 12 0 01-6 9 10 12 0 01-14-10q2-8 11-9m41 0q15-1 16 9a10 9 0 01-6 10 9 10 0 01-13-9q0-8 9-10'
