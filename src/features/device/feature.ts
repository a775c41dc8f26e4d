import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { readDeviceAuthorization } from './device-authorization.tsx'
import { DEVICE_CODE, ERRORS, redeemDeviceCode, SEAL } from './device-code.ts'
import { withDeviceRequest } from './device-guard.ts'
import { GUESS_DELAYS, USE_LIMITS } from './limits.ts'
import { METRICS } from './metrics.ts'
import { createRoutes } from './routes.tsx'
import texts from './texts.json.txt'

/** Signs users in on devices without a browser: {@link https://www.rfc-editor.org/rfc/rfc8628}. */
export function device(): ListedFeature {
  const feature: Feature = {
    id: 'device',
    texts,
    limits: { ...USE_LIMITS, ...GUESS_DELAYS },
    seals: [SEAL],
    errors: { clients: ERRORS },
    metrics: METRICS,
    routes: createRoutes,
    discovery: ({ issuer }) => ({ device_authorization_endpoint: `${issuer}/oidc/device` }),
    grantTypes: [
      {
        name: DEVICE_CODE,
        label: 'device_code',
        needsRegistration: true,
        issueTokens: redeemDeviceCode,
      },
    ],
    readRequest: readDeviceAuthorization,
    extend: { GuardObject: withDeviceRequest },
  }
  return feature
}
