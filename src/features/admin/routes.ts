import { Hono } from 'hono'
import type { AppEnv } from '../../config/app-env.ts'
import type { Feature } from '../../feature.ts'
import { createAdminApi } from './api.ts'
import { createConsole } from './console/routes.tsx'
import { listSections } from './console/sections.ts'
import { createOperations } from './operations/operations.ts'

/** `/admin`: the API and the console of administrators, with what these features add to them. */
export function createAdmin(features: readonly Feature[]): Hono<AppEnv> {
  const operations = createOperations(features)
  return new Hono<AppEnv>()
    .route('/admin/api', createAdminApi(operations))
    .route('/admin', createConsole(operations, listSections(features)))
}
