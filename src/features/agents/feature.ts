import type { ListedFeature } from '../../config/vestibule-options.ts'
import type { Feature } from '../../feature.ts'
import { consentPart, recordConsent } from './consent.tsx'
import { findUnregisteredClient } from './find-unregistered-client.ts'
import { unsentErrorResponse } from './unsent-error.tsx'

/** Accepts clients that no operator has registered, such as agents. */
export function agents(): ListedFeature {
  const feature: Feature = {
    id: 'agents',
    findClient: findUnregisteredClient,
    consentPart,
    beforeConsent: recordConsent,
    errorPage: unsentErrorResponse,
  }
  return feature
}
