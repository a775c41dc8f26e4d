import { Hono } from 'hono'
import type { Feature } from '../../core/config/feature.ts'
import type { AppEnv } from '../../core/http/app-env.ts'
import { createAdminApi } from './api.ts'
import { createConsole } from './console/routes.tsx'
import { listSections } from './console/sections.ts'
import { createOperations } from './operations/operations.ts'

export const IMPORT_PATH = '/admin/api/users/import'

/** A thousand users with a kilobyte each. */
export const MAX_IMPORT_SIZE = 1024 * 1024 // bytes

/** `/admin`: the API and the console of administrators, with what these features add to them. */
export function createAdmin(
  features: readonly Feature[],
  pages: { signIn: boolean; documentation?: string | undefined },
): Hono<AppEnv> {
  const operations = createOperations(features)
  const sections = listSections(features)
  return new Hono<AppEnv>()
    .route('/admin/api', createAdminApi(operations))
    .route('/admin', createConsole({ operations, sections, ...pages }))
}
