import { isLoopback } from '../../foundation/values/loopback.ts'
import type { LocalSetting } from '../../provider-interface/common-options.ts'
import type { ProviderSettings } from '../../provider-interface/oauth-types.ts'

/** The maximum age of a webhook's signature, in seconds. */
export const WEBHOOK_WINDOW = {
  name: 'AUTH_TIKTOK_WEBHOOK_WINDOW',
  isRequired: false,
  format: [/^\d{1,6}$/, 'must be a number of seconds, such as 300'],
} satisfies LocalSetting

/** The address of a stand-in for TikTok, which replaces the real one. */
const STAND_IN = {
  isRequired: false,
  isForDevelopment: true,
  format: [
    { test: (url) => isLoopback(url) && URL.parse(url)?.origin === url },
    'points to a stand-in for the platform and must be a loopback origin such as http://localhost:8788',
  ],
} satisfies Omit<LocalSetting, 'name'>

/** Where users sign in at it. */
export const STAND_IN_WEB = { ...STAND_IN, name: 'AUTH_TIKTOK_WEB_URL' } satisfies LocalSetting

/** The format of TikTok's production client keys. Sandbox keys begin with `sbaw`. */
const PRODUCTION_CLIENT_KEY = /^aw[a-z0-9]{14,}$/

const CALLBACK = '/api/auth/callback/tiktok'

export const TIKTOK_SETTINGS: ProviderSettings = {
  list: [
    STAND_IN_WEB,
    { ...STAND_IN, name: 'AUTH_TIKTOK_API_URL' },
    WEBHOOK_WINDOW,
    {
      name: 'AUTH_TIKTOK_SCOPE',
      isRequired: false,
      format: [
        /^([a-z._]+,)*user\.info\.basic(,[a-z._]+)*$/,
        'must be a list of scopes separated by commas without spaces, and must include user.info.basic: without it users cannot be identified',
      ],
    },
  ],

  findProblems({ AUTH_URL, AUTH_TIKTOK_ID, AUTH_TIKTOK_WEB_URL }) {
    const isProductionApp = PRODUCTION_CLIENT_KEY.test(AUTH_TIKTOK_ID ?? '')
    if (!isProductionApp || AUTH_TIKTOK_WEB_URL || !isLoopback(AUTH_URL ?? '')) return {}
    return {
      AUTH_TIKTOK_ID: `is the key of a production app, for which TikTok rejects a loopback address. Register https://<your domain>${CALLBACK} on the app's Web tab and set AUTH_URL to that origin, or develop with the sandbox key and register ${AUTH_URL}${CALLBACK} on the sandbox's Desktop tab.`,
    }
  },

  toOptions({ AUTH_TIKTOK_WEB_URL: webUrl, AUTH_TIKTOK_API_URL: apiUrl }) {
    return {
      ...(webUrl && { authorization: { url: `${webUrl}/v2/auth/authorize/` } }),
      ...(apiUrl && {
        token: { url: `${apiUrl}/v2/oauth/token/` },
        userinfo: { url: `${apiUrl}/v2/user/info/` },
        revocation: `${apiUrl}/v2/oauth/revoke/`,
      }),
    }
  },
}
