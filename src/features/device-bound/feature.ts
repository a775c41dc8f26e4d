import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { withTexts } from '../../core/messages/messages.ts'
import { requireKnownOptions } from '../../define-feature/known-options.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import { withBrowserKeys } from './bound-user-object.ts'
import { clearProofCookies, isDelayed, readProof } from './cookies.ts'
import { requireBoundSession } from './limit-console.tsx'
import { METRICS } from './metrics.ts'
import { offerRegistration } from './offer-registration.ts'
import { repeatNavigation } from './repeat-navigation.ts'
import { createRoutes } from './routes.ts'
import { SEAL } from './sealed-values.ts'
import texts from './texts.json.txt'
import type { en } from './texts.ts'

export interface DeviceBoundOptions {
  /**
   * For how long a stolen copy of the cookies can be used, in seconds: the life of the bound cookie,
   * which browsers in use renew that often. From 180 to 3600, by default 600.
   */
  cookieLifetime?: number
  /** Ends a session if somebody who does not have its key pretends to. By default it continues. */
  endOnFailedProof?: boolean
  /**
   * Opens the console only in browsers that have bound the session. By default it opens in others, too.
   * Commands and the admin API are not affected.
   */
  requiredForConsole?: boolean
}

const DEFAULT_LIFETIME = 600 // seconds

/**
 * Sessions that are only valid in the browser that has signed in, if the browser supports it:
 * {@link https://w3c.github.io/webappsec-dbsc/}.
 */
export function deviceBound({
  cookieLifetime = DEFAULT_LIFETIME,
  endOnFailedProof = false,
  requiredForConsole = false,
  ...others
}: DeviceBoundOptions = {}): ListedFeature {
  requireKnownOptions('deviceBound', others)
  requireLifetime(cookieLifetime)
  const policy = { cookieLifetime, endsOnFailedProof: endOnFailedProof }
  const feature: Feature = {
    id: 'device-bound',
    texts,
    seals: [SEAL],
    audit: AUDIT_EVENTS,
    metrics: METRICS,
    routes: () => createRoutes(policy),
    boundSessions: {
      readProof,
      offer: offerRegistration,
      repeat: repeatNavigation,
      isDelayed,
      forget: clearProofCookies,
      label: (messages) => withTexts<typeof en>(messages).t('deviceBound.label'),
      ...(requiredForConsole && { limitConsole: requireBoundSession }),
    },
    extend: { UserObject: withBrowserKeys },
  }
  return feature
}

/** Browsers renew a cookie two minutes before it expires, so a shorter life would be no use. */
function requireLifetime(seconds: number): void {
  if (Number.isInteger(seconds) && seconds >= 180 && seconds <= 3600) return
  throw new TypeError('cookieLifetime of deviceBound() must be from 180 to 3600 seconds.')
}
