import type { ClientAuth } from 'oauth4webapi'
import type { BoundedFetch } from '../provider-interface/oauth-types.ts'
import { requestJson, requireSameAccount, withQuery } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

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
 * URL, which OAuth does not allow. The user is the same in all apps of one developer account
 * (`unionid`).
 *
 * {@link https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html}
 */
export const WeChat = oauthProvider<WeChatProfile>(() => ({
  id: 'wechat',
  name: 'WeChat',
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
    async request({ url, params, tokens: { access_token = '', openid }, fetch }) {
      const profile = await requestJson<WeChatProfile>(
        fetch,
        withQuery(url, { ...params, access_token, openid: String(openid) }),
      )
      requireSameAccount(profile.openid, openid)
      return profile
    },
  },
  scopeSeparator: ',',
  accountIdFromTokens: ({ openid }) => (typeof openid === 'string' ? openid : undefined),
  profile({ openid = '', unionid, nickname, headimgurl }) {
    return { id: openid, name: nickname, image: headimgurl, unionId: unionid }
  },
  registration: { url: 'https://open.weixin.qq.com', idName: 'AppID', secretName: 'AppSecret' },
  style: { brandColor: '#07c160', logo: logo('black', LOGO) },
}))

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
    if (init?.method !== 'POST') return fetch(url, init)
    const params = new URLSearchParams(String(init.body))
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
  'M8.691 2.188C3.891 2.188 0 5.476 0 9.53c0 2.212 1.17 4.203 3.002 5.55a.59.59 0 0 1 .213.665l-.39 1.48c-.019.07-.048.141-.048.213 0 .163.13.295.29.295a.326.326 0 0 0 .167-.054l1.903-1.114a.864.864 0 0 1 .717-.098 10.16 10.16 0 0 0 2.837.403c.276 0 .543-.027.811-.05-.857-2.578.157-4.972 1.932-6.446 1.703-1.415 3.882-1.98 5.853-1.838-.576-3.583-4.196-6.348-8.596-6.348zM5.785 5.991c.642 0 1.162.529 1.162 1.18a1.17 1.17 0 0 1-1.162 1.178A1.17 1.17 0 0 1 4.623 7.17c0-.651.52-1.18 1.162-1.18zm5.813 0c.642 0 1.162.529 1.162 1.18a1.17 1.17 0 0 1-1.162 1.178 1.17 1.17 0 0 1-1.162-1.178c0-.651.52-1.18 1.162-1.18zm5.34 2.867c-1.797-.052-3.746.512-5.28 1.786-1.72 1.428-2.687 3.72-1.78 6.22.942 2.453 3.666 4.229 6.884 4.229.826 0 1.622-.12 2.361-.336a.722.722 0 0 1 .598.082l1.584.926a.272.272 0 0 0 .14.047c.134 0 .24-.111.24-.247 0-.06-.023-.12-.038-.177l-.327-1.233a.582.582 0 0 1-.023-.156.49.49 0 0 1 .201-.398C23.024 18.48 24 16.82 24 14.98c0-3.21-2.931-5.837-6.656-6.088V8.89c-.135-.01-.27-.027-.407-.03zm-2.53 3.274c.535 0 .969.44.969.982a.976.976 0 0 1-.969.983.976.976 0 0 1-.969-.983c0-.542.434-.982.97-.982zm4.844 0c.535 0 .969.44.969.982a.976.976 0 0 1-.969.983.976.976 0 0 1-.969-.983c0-.542.434-.982.969-.982z'
