import { registrationSection } from '../../../administration/console/registration-section.tsx'
import type { ConsoleSection } from '../../../administration/console/section.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { featureOperations } from '../operations/operations.ts'
import { ADMINISTRATORS } from './administrator-routes.tsx'
import { APIS } from './api-section.ts'
import { AUDIT } from './audit-routes.tsx'
import { CLIENTS } from './client-section.tsx'
import { CONFIGURATION } from './configuration.tsx'
import { KEYS } from './key-section.tsx'
import { USERS } from './user-section.tsx'

/**
 * The sections of the console of a deployment with these features, besides the overview, in the order
 * of the commands (`cli/run-command.ts`).
 */
export function listSections(features: readonly Feature[]): ConsoleSection[] {
  return [
    USERS,
    AUDIT,
    registrationSection(CLIENTS),
    registrationSection(APIS),
    ...featureOperations(features).flatMap(({ sections }) => sections),
    KEYS,
    ADMINISTRATORS,
    CONFIGURATION,
  ]
}
