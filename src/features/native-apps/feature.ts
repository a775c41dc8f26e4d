import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { SEAL } from './challenge.ts'
import { withAppSessions } from './native-user-object.ts'
import { exchangeProviderCode, PROVIDER_CODE } from './provider-code.ts'
import { nativeAppRoutes } from './routes.ts'
import { ANDROID_APPS, IOS_APPS, providerSettings } from './settings.ts'
import { exchangeIdToken, ID_TOKEN, TOKEN_EXCHANGE } from './token-exchange.ts'

/** Signs users in by what the SDKs of providers return to apps, and lets apps use passkeys. */
export function nativeApps(): ListedFeature {
  const feature: Feature = {
    id: 'native-apps',
    seals: [SEAL],
    settings: [IOS_APPS, ANDROID_APPS],
    providerSettings,
    routes: () => nativeAppRoutes,
    discovery: ({ issuer }) => ({ challenge_endpoint: `${issuer}/oidc/challenge` }),
    grantTypes: [
      {
        name: TOKEN_EXCHANGE,
        label: 'id_token_exchange',
        needsRegistration: true,
        handles: (form) => form.get('subject_token_type') === ID_TOKEN,
        issueTokens: exchangeIdToken,
      },
      {
        name: PROVIDER_CODE,
        label: 'provider_code',
        needsRegistration: true,
        issueTokens: exchangeProviderCode,
      },
    ],
    extend: { UserObject: withAppSessions },
  }
  return feature
}
