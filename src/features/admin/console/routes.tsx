import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { sectionOf } from '../../../administration/console/console-parts.tsx'
import { requireRoleFor } from '../../../administration/console/require-role.tsx'
import type { ConsoleSection } from '../../../administration/console/section.ts'
import type { Operation } from '../../../administration/operation.ts'
import type { AppEnv } from '../../../core/http/app-env.ts'
import { requireOwnPage } from '../../../core/http/cross-origin.ts'
import { hasCsrfToken } from '../../../core/http/csrf.ts'
import { limitRequestsByUser } from '../../../core/session/limit-requests-by-user.ts'
import { SignInError } from '../../../foundation/errors/sign-in-error.ts'
import { requireAdministrator, requireStrongestSignIn } from '../authorization.ts'
import { type Action, actionPath, confirmPage, runAction } from './action-routes.tsx'
import {
  answerPermitted,
  COUNTS_PATH,
  LIVE_PATH,
  respondWithCounts,
  showLiveView,
} from './live.tsx'
import { OVERVIEW, overview } from './overview.tsx'
import { addSearchRoutes } from './search-routes.tsx'

interface ConsoleOptions {
  operations: readonly Operation[]
  sections: readonly ConsoleSection[]
  /** Whether those who are not signed in are led to the sign-in page. */
  signIn: boolean
  /** The URL of the documentation site, to which names of documents link. */
  documentation?: string | undefined
}

/** `/admin`: pages for administrators, who have signed in as users. */
export function createConsole(options: ConsoleOptions): Hono<AppEnv> {
  const { operations, sections, signIn, documentation } = options
  const routes = new Hono<AppEnv>()
  const links = [OVERVIEW, ...sections]
  routes.use(limitRequestsByUser('admin'))
  routes.get(COUNTS_PATH, answerPermitted)
  routes.use(
    requireAdministrator({ sections: links, signIn, documentation }),
    requireOwnPage,
    requireCsrfToken,
  )
  // Shows no data of users, and is needed most while the database does not respond.
  routes.get('/', overview)
  routes.get(LIVE_PATH, showLiveView)
  routes.get(COUNTS_PATH, respondWithCounts)
  routes.use('/:section/*', requireStrongestSignIn)
  addSearchRoutes(routes)
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  for (const section of sections) section.addRoutes(routes, byId)
  for (const operation of operations.filter(({ button }) => button !== undefined)) {
    const section = sections.find(({ id }) => id === sectionOf(operation))
    if (!section) throw new Error(`No section of the console has the path of ${operation.id}.`)
    const undo = operation.undo === undefined ? undefined : byId.get(operation.undo)
    addAction(routes, { operation, section, undo })
  }
  return routes
}

function addAction(routes: Hono<AppEnv>, action: Action): void {
  const { operation } = action
  const path = actionPath(operation)
  routes.use(path, requireRoleFor(operation))
  routes.get(path, (c) => confirmPage(c, action))
  routes.post(path, (c) => runAction(c, action))
}

/** Besides the origin, every form must send the token of this browser. */
const requireCsrfToken = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === 'POST' && !(await hasCsrfToken(c))) throw new SignInError('cross_site')
  await next()
})
