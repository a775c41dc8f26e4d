import type { OperationGroup } from '../../administration/operation-group.ts'
import type { Config } from '../../core/config/config.ts'
import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import { withUnregisteredClient } from './client-object.ts'
import { consentPart, recordConsent } from './consent.tsx'
import { CONSOLE_SECTION } from './console-section.tsx'
import { findUnregisteredClient } from './find-unregistered-client.ts'
import { USE_LIMITS } from './limits.ts'
import { OPERATIONS } from './operation-table.ts'
import { unregisteredClientOperations } from './operations.ts'
import { ERRORS } from './parse-metadata.ts'
import { policyOf, UNREGISTERED_CLIENTS } from './policy.ts'
import { API_FIELDS, findApiProblems } from './registration-fields.ts'
import { createRoutes } from './routes.ts'
import texts from './texts.json.txt'
import { unsentErrorResponse } from './unsent-error.tsx'

/** Accepts clients that no operator has registered, such as agents. */
export function agents(): ListedFeature {
  const feature: Feature = {
    id: 'agents',
    texts,
    limits: USE_LIMITS,
    audit: AUDIT_EVENTS,
    log: ['client_registered', 'approval_not_kept'],
    errors: { clients: ERRORS, page: unsentErrorResponse },
    settings: [UNREGISTERED_CLIENTS],
    routes: createRoutes,
    discovery: describePolicy,
    registrations: { apis: { fields: API_FIELDS, problems: findApiProblems } },
    findClient: findUnregisteredClient,
    consentPart,
    beforeConsent: recordConsent,
    operations: {
      table: OPERATIONS,
      createImplementations: unregisteredClientOperations,
      sections: [CONSOLE_SECTION],
    } satisfies OperationGroup<keyof typeof OPERATIONS>,
    extend: { ClientMetadataObject: withUnregisteredClient },
  }
  return feature
}

/** What is not accepted is not advertised. */
function describePolicy(config: Config) {
  const { hosts, registration } = policyOf(config)
  return {
    ...(registration && { registration_endpoint: `${config.issuer}/oidc/register` }),
    ...(hosts.length > 0 && { client_id_metadata_document_supported: true }),
  }
}
