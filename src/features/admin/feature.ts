import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature, ObjectClass } from '../../core/config/vestibule-options.ts'
import { requireKnownOptions } from '../../define-feature/known-options.ts'
import { adminApi } from './admin-api.ts'
import { ADMIN_EVENTS } from './audit-sentences.ts'
import { findCommandLineClient } from './command-line-client.ts'
import { limitRequest, requireRecentConsent } from './command-line-consent.ts'
import { LIVE_SEAL } from './console/live.tsx'
import { consoleLink } from './console-link.ts'
import { checkCredentials } from './metrics/check-credentials.ts'
import { MetricsObject, metricsObject } from './metrics/metrics-object.ts'
import { OPERATIONS } from './operations/operation-table.ts'
import { adminErrorResponse } from './problem-response.ts'
import { createAdmin, IMPORT_PATH, MAX_IMPORT_SIZE } from './routes.ts'
import texts from './texts.json.txt'

export interface AdminOptions {
  /**
   * Leads visitors of `/admin` who are not signed in to the sign-in page. Without it, `/admin` looks
   * like an unknown URL to everyone who is not an administrator.
   */
  signIn?: boolean
  /** The URL of your copy of the documentation site, to which the console links. */
  documentation?: string
}

/** The API, the console and the command line of administrators, and metrics. */
export function admin({
  signIn = false,
  documentation,
  ...others
}: AdminOptions = {}): ListedFeature & { objects: { MetricsObject: ObjectClass } } {
  requireKnownOptions('admin', others)
  if (documentation !== undefined && !/^https?:$/.test(new URL(documentation).protocol)) {
    throw new TypeError('admin() requires an http or https URL for documentation.')
  }
  const feature = {
    id: 'admin',
    texts,
    audit: ADMIN_EVENTS,
    seals: [LIVE_SEAL],
    log: ['secret_uses_failed'],
    objects: { MetricsObject },
    bindings: [
      {
        name: 'METRICS',
        method: 'idFromName',
        toml: '[[durable_objects.bindings]]\nname = "METRICS"\nclass_name = "MetricsObject"',
      },
    ],
    area: {
      path: '/admin',
      bodySizes: { [IMPORT_PATH]: MAX_IMPORT_SIZE },
      operationIds: ['getOpenApi', ...Object.keys(OPERATIONS)],
      createRoutes: (features) => createAdmin(features, { signIn, documentation }),
      handleError: adminErrorResponse,
    },
    registrations: { apis: { builtIn: (config) => [adminApi(config)] } },
    findClient: findCommandLineClient,
    limitRequest,
    beforeConsent: requireRecentConsent,
    accountPart: consoleLink,
    collectCounts: async (env, report) => metricsObject(env).add(report),
    readiness: (env, config) => [{ name: 'credentials', use: () => checkCredentials(env, config) }],
  } satisfies Feature
  return feature
}
