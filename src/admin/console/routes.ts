import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../config/app-env.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { requireOwnPage } from '../../http/cross-origin.ts'
import { hasCsrfToken } from '../../http/csrf.ts'
import { limitRequestsByUser } from '../../session/current.ts'
import { listActions } from '../actions.ts'
import { requireAdministrator } from '../authorization.ts'
import { audit } from './audit.tsx'
import { keys } from './keys.tsx'
import { overview } from './overview.tsx'
import { REGISTRATION_KINDS } from './registration-kinds.ts'
import { addRegistrationRoutes } from './registrations.tsx'
import { requireRecentSignIn } from './require-recent-sign-in.ts'
import { confirmPage, runAction } from './run-action.tsx'
import { user, users } from './users.tsx'

/** `/admin`: pages for administrators, who have signed in as users. */
export function createConsole(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.use(limitRequestsByUser('admin'), requireAdministrator, requireOwnPage, requireCsrfToken)
  routes.get('/', overview)
  routes.get('/users', users)
  routes.get('/users/:id', user)
  routes.get('/keys', keys)
  routes.get('/audit', audit)
  for (const kind of Object.values(REGISTRATION_KINDS)) addRegistrationRoutes(routes, kind)
  for (const action of listActions()) {
    routes.get(action.path, requireRecentSignIn, (c) => confirmPage(c, action))
    routes.post(action.path, requireRecentSignIn, (c) => runAction(c, action))
  }
  return routes
}

/** Besides the origin, every form must send the token of this browser. */
const requireCsrfToken = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === 'POST' && !(await hasCsrfToken(c))) throw new SignInError('cross_site')
  await next()
})
