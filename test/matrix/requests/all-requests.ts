import { createUserApp } from '../../../src/core/app.ts'
import { validateOptions } from '../../../src/core/config/options.ts'
import { createConfigReader } from '../../../src/core/config/read-config.ts'
import { readEnglish } from '../../../src/core/messages/english.ts'
import { matrixOptions } from '../options.ts'
import { accountRequests } from './account.ts'
import { describeAdminRequest } from './admin.ts'
import type { DescribedRequest } from './described-request.ts'
import { oidcRequests } from './oidc.ts'
import { publicRequests } from './public.ts'
import { scheduleRequests } from './schedule.ts'
import { signInRequests } from './signin.ts'

const DESCRIBED = [...publicRequests, ...signInRequests, ...oidcRequests, ...accountRequests]

const { declared } = validateOptions(matrixOptions, readEnglish)

/** Every route of the app, as `GET /account`. */
const userRoutes = listRoutes(createUserApp(createConfigReader(declared), declared))

/** Every route of the areas of features. */
const areaRoutes = declared.features.flatMap(({ area }) =>
  area ? listRoutes(area.createRoutes(declared.features)) : [],
)

function listRoutes({ routes }: { routes: { method: string; path: string }[] }): string[] {
  // Preflight requests are answered without any part.
  const handled = routes.filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS')
  return [...new Set(handled.map(({ method, path }) => `${method} ${path}`))]
}

/** Every request of the matrix. */
export const requests: readonly DescribedRequest[] = [
  ...DESCRIBED,
  ...areaRoutes.flatMap((route) => describeAdminRequest(route) ?? []),
  ...scheduleRequests,
]

/** The routes that no request of the matrix describes. */
export const undescribedRoutes = [
  ...userRoutes.filter((route) => !DESCRIBED.some((request) => request.route === route)),
  ...areaRoutes.filter((route) => !describeAdminRequest(route)),
]
