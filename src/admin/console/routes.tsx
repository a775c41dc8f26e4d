import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../../config/app-env.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { requireOwnPage } from '../../http/cross-origin.ts'
import { hasCsrfToken } from '../../http/csrf.ts'
import { limitRequestsByUser } from '../../session/limit-requests-by-user.ts'
import { listKeys } from '../../tokens/manage-keys.ts'
import { readRole } from '../../users/administrators.ts'
import { readUserDetails } from '../../users/manage-users.ts'
import { searchUsers } from '../../users/search-users.ts'
import {
  mayUse,
  requireAdministrator,
  requireRecentSignIn,
  requireStrongestSignIn,
} from '../authorization.ts'
import { OPERATIONS, type OperationId } from '../operation-table.ts'
import { listOperations } from '../operations.ts'
import { actionPath, confirmPage, runAction } from './action-routes.tsx'
import { addAdministratorRoutes } from './administrator-routes.tsx'
import { addAuditRoutes } from './audit-routes.tsx'
import { showConfiguration } from './configuration.tsx'
import { consolePage, notFoundPage } from './console-page.tsx'
import { PageLinks } from './console-parts.tsx'
import { KeysPage } from './keys-page.tsx'
import { overview } from './overview.tsx'
import { addRegistrationRoutes, REGISTRATION_KINDS } from './registration-routes.tsx'
import { requireRoleFor } from './require-role.tsx'
import { addSearchRoutes } from './search-routes.tsx'
import { addUnregisteredClientRoutes } from './unregistered-client-routes.tsx'
import { UserPage, UsersTable, userLink } from './users-pages.tsx'

/** How many users a page lists. */
const PAGE_LENGTH = 50

/** `/admin`: pages for administrators, who have signed in as users. */
export function createConsole(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.use(limitRequestsByUser('admin'), requireAdministrator, requireOwnPage, requireCsrfToken)
  // Shows no data of users, and is needed most while the database does not respond.
  routes.get('/', overview)
  routes.use('/:section/*', requireStrongestSignIn)
  routes.get('/users', users)
  routes.get('/users/:id', user)
  routes.get('/keys', keys)
  routes.get('/configuration', showConfiguration)
  addAuditRoutes(routes)
  addSearchRoutes(routes)
  for (const kind of Object.values(REGISTRATION_KINDS)) addRegistrationRoutes(routes, kind)
  addUnregisteredClientRoutes(routes)
  addAdministratorRoutes(routes)
  for (const operation of listOperations().filter(({ button }) => button !== undefined)) {
    const path = actionPath(operation)
    routes.use(path, requireRoleFor(operation.id))
    routes.get(path, requireRecentSignIn, (c) => confirmPage(c, operation))
    routes.post(path, requireRecentSignIn, (c) => runAction(c, operation))
  }
  return routes
}

/** Besides the origin, every form must send the token of this browser. */
const requireCsrfToken = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === 'POST' && !(await hasCsrfToken(c))) throw new SignInError('cross_site')
  await next()
})

async function users(c: AppContext): Promise<Response> {
  const cursor = c.req.query('cursor')
  const page = await searchUsers(c.env, { query: '', cursor, limit: PAGE_LENGTH })
  return consolePage(
    c,
    { section: 'users', title: 'Users' },
    <>
      <UsersTable caption="All users, newest first" users={page.users} />
      <PageLinks path="/admin/users" filter={{}} cursor={cursor} nextCursor={page.nextCursor} />
    </>,
  )
}

async function user(c: AppContext): Promise<Response> {
  const details = await readUserDetails(c.env, c.get('config'), c.req.param('id') ?? '')
  if (!details) return notFoundPage(c, 'users', 'user')
  const title = userLink(details).label
  const role = await readRole(c.env, c.get('config'), details.id)
  const isProtected = role === 'owner' && !mayUse(c, 'setAdministrator')
  const may = (id: OperationId) =>
    mayUse(c, id) && (OPERATIONS[id].method === 'get' || !isProtected)
  return consolePage(
    c,
    { section: 'users', title, trail: [] },
    <UserPage user={details} administratorRole={role} may={may} />,
  )
}

async function keys(c: AppContext): Promise<Response> {
  const list = await listKeys(c.env)
  return consolePage(
    c,
    { section: 'keys', title: 'Keys' },
    <KeysPage {...list} mayRotate={mayUse(c, 'rotateKeys')} />,
  )
}
