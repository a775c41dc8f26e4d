import { Hono } from 'hono'
import type { AppEnv } from '../config/app-env.ts'
import { createAdminApi } from './api.ts'
import { createConsole } from './console/routes.tsx'

/** `/admin`: the API and the console of administrators. */
export function createAdmin(): Hono<AppEnv> {
  return new Hono<AppEnv>().route('/admin/api', createAdminApi()).route('/admin', createConsole())
}
