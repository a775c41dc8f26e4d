import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod/mini'
import {
  forAuditFilters,
  type HourlyCount,
  listAuditEntries,
  readHourlyCounts,
} from '../../audit/read-audit.ts'
import type { AppContext, AppEnv } from '../../config/app-env.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { requireOwnPage } from '../../http/cross-origin.ts'
import { hasCsrfToken } from '../../http/csrf.ts'
import { checkReadiness } from '../../readiness/check-readiness.ts'
import { limitRequestsByUser } from '../../session/limit-requests-by-user.ts'
import { requireStorage } from '../../storage/unavailable-error.ts'
import { listKeys } from '../../tokens/manage-keys.ts'
import { readRole } from '../../users/administrators.ts'
import { readUserDetails } from '../../users/manage-users.ts'
import { searchUsers } from '../../users/search-users.ts'
import { countCachedSessions } from '../../users/session-cache.ts'
import { nowInSeconds } from '../../values/clock.ts'
import { formatProblem, validate } from '../../values/problem.ts'
import { auditFilters } from '../audit-filters.ts'
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
import { AuditPage } from './audit-page.tsx'
import { consolePage, notFoundPage } from './console-page.tsx'
import { KeysPage } from './keys-page.tsx'
import { OverviewPage } from './overview-page.tsx'
import { addRegistrationRoutes, REGISTRATION_KINDS } from './registration-routes.tsx'
import { requireRoleFor } from './require-role.tsx'
import { UserPage, UsersPage, userLink } from './users-pages.tsx'

const HOUR = 3600 // seconds

/** What the chart shows. */
const CHART_HOURS = 48

/** How many users or entries a page lists. */
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
  routes.get('/audit', audit)
  for (const kind of Object.values(REGISTRATION_KINDS)) addRegistrationRoutes(routes, kind)
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

/**
 * What cannot be read is left out, because the page also shows which part of storage does not work.
 */
async function overview(c: AppContext): Promise<Response> {
  const now = nowInSeconds()
  const firstHour = now - (now % HOUR) - (CHART_HOURS - 1) * HOUR
  const ignoreFailure = () => undefined
  const [counts, sessions, keyList, checks] = await Promise.all([
    readHourlyCounts(c.env, { since: firstHour }).catch(ignoreFailure),
    countCachedSessions(c.env).catch(ignoreFailure),
    listKeys(c.env).catch(ignoreFailure),
    checkReadiness(c.env, c.get('config')),
  ])
  return consolePage(
    c,
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      hours={counts && hourlyTotals(counts, firstHour)}
      sessions={sessions}
      keys={
        keyList && {
          activeSince: keyList.keys.find(({ state }) => state === 'active')?.activeSince,
          rotatesAt: keyList.rotatesAt,
        }
      }
      checks={checks}
    />,
  )
}

function hourlyTotals(counts: readonly HourlyCount[], firstHour: number) {
  return Array.from({ length: CHART_HOURS }, (_, index) => {
    const hour = firstHour + index * HOUR
    const signIns = counts.filter((entry) => entry.hour === hour)
    const count = (isSuccess: boolean) =>
      signIns
        .filter(({ outcome }) => (outcome === 'ok') === isSuccess)
        .reduce((total, entry) => total + entry.count, 0)
    return { hour, succeeded: count(true), failed: count(false) }
  })
}

async function users(c: AppContext): Promise<Response> {
  const query = c.req.query('query')?.trim() ?? ''
  const cursor = c.req.query('cursor')
  const page = await searchUsers(c.env, { query, cursor, limit: PAGE_LENGTH })
  return consolePage(
    c,
    { section: 'users', title: 'Users' },
    <UsersPage query={query} cursor={cursor} {...page} nextCursor={page.nextCursor} />,
  )
}

async function user(c: AppContext): Promise<Response> {
  const details = await readUserDetails(c.env, c.req.param('id') ?? '')
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

async function audit(c: AppContext): Promise<Response> {
  const read = (name: string) => c.req.query(name)?.trim() ?? ''
  const texts = forAuditFilters(read)
  const filter = { ...texts, since: read('since'), until: read('until') }
  const { data, problems } = validate(
    z.strictObject(auditFilters()),
    forAuditFilters((name) => texts[name] || undefined),
  )
  const query = {
    ...data,
    since: parseTime(filter.since),
    until: parseTime(filter.until),
    cursor: c.req.query('cursor'),
    limit: PAGE_LENGTH,
  }
  const { entries, nextCursor } = data
    ? await requireStorage(() => listAuditEntries(c.env, query))
    : { entries: [] }
  return consolePage(
    c,
    { section: 'audit', title: 'Audit', status: data ? 200 : 400 },
    <AuditPage
      filter={filter}
      problems={problems.map(formatProblem)}
      entries={entries}
      cursor={query.cursor}
      nextCursor={nextCursor}
    />,
  )
}

/** The value of an input of the type `datetime-local`, in UTC. */
function parseTime(text: string): number | undefined {
  const milliseconds = Date.parse(`${text}Z`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}
