import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Child } from 'hono/jsx'
import { listAuditEntries, readHourlyCounts } from '../audit/read-audit.ts'
import { nowInSeconds } from '../clock.ts'
import { apiSchema } from '../config/apis.ts'
import { clientSchema } from '../config/clients.ts'
import { RegistrationError, SignInError } from '../errors.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit-origin.ts'
import { requireOwnPage } from '../http/cross-origin.ts'
import { csrfToken, hasCsrfToken } from '../http/csrf.ts'
import { respondWithPage } from '../http/page-response.tsx'
import { AuditPage } from '../pages/admin/audit-page.tsx'
import { ConfirmPage, SecretPage } from '../pages/admin/confirm-page.tsx'
import { CONSOLE_CSS, Navigation, type Section } from '../pages/admin/console-parts.tsx'
import { KeysPage } from '../pages/admin/keys-page.tsx'
import { OverviewPage } from '../pages/admin/overview-page.tsx'
import {
  RegistrationForm,
  RegistrationPage,
  RegistrationsPage,
  type RegistrationView,
} from '../pages/admin/registration-pages.tsx'
import { UserPage, UsersPage } from '../pages/admin/users-pages.tsx'
import { isolateTextDirection } from '../pages/isolate-text-direction.ts'
import { en } from '../pages/messages/en.ts'
import { checkReadiness } from '../readiness/check-readiness.ts'
import {
  type ApiRecord,
  createApi,
  listApis,
  readApi,
  updateApi,
} from '../registrations/manage-apis.ts'
import {
  type ClientRecord,
  createClient,
  listClients,
  readClient,
  updateClient,
} from '../registrations/manage-clients.ts'
import {
  authoritativeSession,
  limitRequestsByUser,
  requireRecentSession,
} from '../session/current.ts'
import { listKeys } from '../tokens/manage-keys.ts'
import { readUserDetails, searchUsers } from '../users/manage-users.ts'
import { countCachedSessions } from '../users/session-cache.ts'
import { type Action, listActions } from './actions.ts'
import { requireAdministrator } from './authorization.ts'
import { formFields, parseForm } from './registration-form.ts'

const HOUR = 3600 // seconds

/** What the chart shows. */
const CHART_HOURS = 48

const PAGE_LENGTH = 50

/** `/admin`: pages for administrators, who have signed in as users. */
export function createConsole(): Hono<AppEnv> {
  const console = new Hono<AppEnv>()
  console.use(limitRequestsByUser('admin'), requireAdministrator, requireOwnPage, requireCsrfToken)
  console.get('/', overview)
  console.get('/users', users)
  console.get('/users/:id', user)
  console.get('/keys', keys)
  console.get('/audit', audit)
  for (const kind of [clientKind, apiKind]) addRegistrationRoutes(console, kind)
  for (const action of listActions()) {
    console.get(action.path, requireRecentSignIn, (c) => confirmPage(c, action))
    console.post(action.path, requireRecentSignIn, (c) => runAction(c, action))
  }
  console.all('*', () => {
    throw new SignInError('not_found')
  })
  return console
}

/** Besides the origin, every form must send the token of this browser. */
const requireCsrfToken = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === 'POST' && !(await hasCsrfToken(c))) throw new SignInError('cross_site')
  await next()
})

/** Administrators who have not signed in recently do so, and return to the page. */
const requireRecentSignIn = createMiddleware<AppEnv>(async (c, next) => {
  try {
    await requireRecentSession(c)
  } catch (error) {
    if (!(error instanceof SignInError && error.code === 'sign_in_again')) throw error
    // Of a posted form, too, the page with the form has the same address.
    const params = new URLSearchParams({ callbackUrl: c.req.path, prompt: 'login' })
    return c.redirect(`/api/auth/signin?${params}`, 303)
  }
  return next()
})

async function overview(c: AppContext): Promise<Response> {
  const config = c.get('config')
  const now = nowInSeconds()
  const firstHour = now - (now % HOUR) - (CHART_HOURS - 1) * HOUR
  const [counts, sessions, { keys: signingKeys, rotatesAt }, checks] = await Promise.all([
    readHourlyCounts(c.env, { since: firstHour }),
    countCachedSessions(c.env),
    listKeys(c.env),
    checkReadiness(c.env, config),
  ])
  const signIns = counts.filter(({ event }) => event === 'sign_in')
  const hours = Array.from({ length: CHART_HOURS }, (_, index) => {
    const hour = firstHour + index * HOUR
    const count = (isSuccess: boolean) =>
      signIns
        .filter((entry) => entry.hour === hour && (entry.outcome === 'ok') === isSuccess)
        .reduce((total, entry) => total + entry.count, 0)
    return { hour, succeeded: count(true), failed: count(false) }
  })
  const activeSince = signingKeys.find(({ state }) => state === 'active')?.activeSince
  return consolePage(c, 'overview', 'Overview', <OverviewPage hours={hours} sessions={sessions} keys={{ activeSince, rotatesAt }} checks={checks} />)
}

async function users(c: AppContext): Promise<Response> {
  const query = c.req.query('query')?.trim() ?? ''
  const cursor = c.req.query('cursor')
  const page = await searchUsers(c.env, c.get('config'), { query, cursor, limit: PAGE_LENGTH })
  return consolePage(c, 'users', 'Users', <UsersPage query={query} {...page} nextCursor={page.nextCursor} />)
}

async function user(c: AppContext): Promise<Response> {
  const details = await readUserDetails(c.env, c.get('config'), c.req.param('id') ?? '')
  if (!details) throw new SignInError('not_found')
  const title = isolateTextDirection(details.name ?? details.username ?? details.id)
  return consolePage(c, 'users', title, <UserPage user={details} />)
}

async function keys(c: AppContext): Promise<Response> {
  return consolePage(c, 'keys', 'Keys', <KeysPage {...await listKeys(c.env)} />)
}

async function audit(c: AppContext): Promise<Response> {
  const read = (name: string) => c.req.query(name)?.trim() ?? ''
  const filter = {
    event: read('event'),
    subject: read('subject'),
    client: read('client'),
    since: read('since'),
    until: read('until'),
  }
  const { entries, nextCursor } = await listAuditEntries(c.env, {
    event: filter.event || undefined,
    subject: filter.subject || undefined,
    client: filter.client || undefined,
    since: parseTime(filter.since),
    until: parseTime(filter.until),
    cursor: c.req.query('cursor'),
    limit: PAGE_LENGTH,
  })
  return consolePage(c, 'audit', 'Audit', <AuditPage filter={filter} entries={entries} nextCursor={nextCursor} />)
}

/** The value of an input of the type `datetime-local`, in UTC. */
function parseTime(text: string): number | undefined {
  const milliseconds = Date.parse(`${text}Z`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

/** Clients and APIs have the same pages. */
interface RegistrationKind {
  section: 'clients' | 'apis'
  title: string
  /** With its article. */
  noun: string
  setting: string
  idField: string
  /** The fields that administrators enter. */
  shape: () => typeof clientSchema.shape | typeof apiSchema.shape
  list(c: AppContext): Promise<RegistrationView[]>
  read(c: AppContext, id: string): Promise<RegistrationView | undefined>
  create(c: AppContext, registration: Record<string, unknown>): Promise<string | undefined>
  update(c: AppContext, id: string, changes: Record<string, unknown>): Promise<unknown>
}
