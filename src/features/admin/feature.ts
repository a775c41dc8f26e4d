import type { ListedFeature } from '../../config/vestibule-options.ts'
import type { Feature } from '../../feature.ts'
import { adminErrorResponse } from './problem-response.ts'
import { createAdmin } from './routes.ts'

/** The API, the console and the command line of administrators, and metrics. */
export function admin(): ListedFeature {
  const feature: Feature = {
    id: 'admin',
    area: { path: '/admin', createRoutes: createAdmin, handleError: adminErrorResponse },
  }
  return feature
}
