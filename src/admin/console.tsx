import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Child } from 'hono/jsx'
import { type HourlyCount, listAuditEntries, readHourlyCounts } from '../audit/read-audit.ts'
import { nowInSeconds } from '../clock.ts'
import { adminApi, apiSchema } from '../config/apis.ts'
import { clientSchema } from '../config/clients.ts'
import { RegistrationError, RotationTooEarlyError, requireStorage, SignInError } from '../errors.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit-origin.ts'
import { requireOwnPage } from '../http/cross-origin.ts'
import { csrfToken, hasCsrfToken } from '../http/csrf.ts'
import { respondWithPage } from '../http/page-response.tsx'
import { AuditPage } from '../pages/admin/audit-page.tsx'
import { ConfirmPage, SecretPage } from '../pages/admin/confirm-page.tsx'
import {
  CONSOLE_CSS,
  ConsoleHeader,
  DATA_CSS,
  type Fact,
  FORM_CSS,
  NotFoundPage,
  type Section,
  type TrailLink,
} from '../pages/admin/console-parts.tsx'
import { KeysPage } from '../pages/admin/keys-page.tsx'
import { OverviewPage } from '../pages/admin/overview-page.tsx'
import {
  RegistrationForm,
  RegistrationPage,
  RegistrationsPage,
  type RegistrationView,
} from '../pages/admin/registration-pages.tsx'
import { sessionFacts, UserPage, UsersPage, userFacts } from '../pages/admin/users-pages.tsx'
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
import { readUserRows } from '../users/directory.ts'
import { readUserDetails } from '../users/manage-users.ts'
import { searchUsers, toUserSummary, type UserSummary } from '../users/search-users.ts'
import { countCachedSessions } from '../users/session-cache.ts'
import { type Action, listActions } from './actions.ts'
import { requireAdministrator } from './authorization.ts'
import { API_FIELDS, CLIENT_FIELDS, type FieldGroup } from './registration-fields.ts'
import { formGroups, parseForm } from './registration-form.ts'

const HOUR = 3600 // seconds

/** What the chart shows. */
const CHART_HOURS = 48

const PAGE_LENGTH = 50

/** `/admin`: pages for administrators, who have signed in as users. */
export function createConsole(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.use(limitRequestsByUser('admin'), requireAdministrator, requireOwnPage, requireCsrfToken)
  routes.get('/', overview)
  routes.get('/users', users)
  routes.get('/users/:id', user)
  routes.get('/keys', keys)
  routes.get('/audit', audit)
  for (const kind of Object.values(KINDS)) addRegistrationRoutes(routes, kind)
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

/** What cannot be read is left out, because the page also shows which part of storage does not work. */
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
    const signIns = counts.filter((entry) => entry.event === 'sign_in' && entry.hour === hour)
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
  const page = await searchUsers(c.env, c.get('config'), { query, cursor, limit: PAGE_LENGTH })
  return consolePage(
    c,
    { section: 'users', title: 'Users' },
    <UsersPage query={query} cursor={cursor} {...page} nextCursor={page.nextCursor} />,
  )
}

async function user(c: AppContext): Promise<Response> {
  const details = await readUserDetails(c.env, c.get('config'), c.req.param('id') ?? '')
  if (!details) return notFoundPage(c, 'users', 'user')
  const title = userLink(details).label
  return consolePage(c, { section: 'users', title, trail: [] }, <UserPage user={details} />)
}

/** The page of a user, and the name of the user. */
function userLink({ id, name, username }: Pick<UserSummary, 'id' | 'name' | 'username'>) {
  return {
    href: `/admin/users/${encodeURIComponent(id)}`,
    label: isolateTextDirection(name ?? username ?? id),
  }
}

/** For administrators, the console has its own page for an id that does not exist. */
function notFoundPage(c: AppContext, section: Section, noun: string): Promise<Response> {
  const page = <NotFoundPage section={section} noun={noun} />
  return consolePage(c, { section, title: 'Not found', trail: [], status: 404 }, page)
}

async function keys(c: AppContext): Promise<Response> {
  const list = await listKeys(c.env)
  return consolePage(c, { section: 'keys', title: 'Keys' }, <KeysPage {...list} />)
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
  const query = {
    event: filter.event || undefined,
    subject: filter.subject || undefined,
    client: filter.client || undefined,
    since: parseTime(filter.since),
    until: parseTime(filter.until),
    cursor: c.req.query('cursor'),
    limit: PAGE_LENGTH,
  }
  const { entries, nextCursor } = await requireStorage(() => listAuditEntries(c.env, query))
  return consolePage(
    c,
    { section: 'audit', title: 'Audit' },
    <AuditPage filter={filter} entries={entries} cursor={query.cursor} nextCursor={nextCursor} />,
  )
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
  /** The section of docs/operations.md that describes the fields. */
  documentation: string
  idField: string
  nameField: string
  /** The fields that administrators enter. */
  groups: readonly FieldGroup[]
  shape: () => typeof clientSchema.shape | typeof apiSchema.shape
  list(c: AppContext): Promise<RegistrationView[]>
  read(c: AppContext, id: string): Promise<RegistrationView | undefined>
  create(c: AppContext, registration: Record<string, unknown>): Promise<string | undefined>
  update(c: AppContext, id: string, changes: Record<string, unknown>): Promise<unknown>
}

const clientKind: RegistrationKind = {
  section: 'clients',
  title: 'Clients',
  noun: 'a client',
  setting: 'CLIENTS',
  documentation: 'Adding a frontend',
  idField: 'client_id',
  nameField: 'client_name',
  groups: CLIENT_FIELDS,
  shape: () => clientSchema.shape,
  list: async (c) => (await listClients(c.env, c.get('config'))).map(viewClient),
  async read(c, id) {
    const record = await readClient(c.env, c.get('config'), id)
    return record && viewClient(record)
  },
  async create(c, registration) {
    const origin = await administratorOrigin(c)
    return (await createClient(c.env, c.get('config'), { registration, origin })).clientSecret
  },
  async update(c, clientId, changes) {
    const origin = await administratorOrigin(c)
    await updateClient(c.env, c.get('config'), { clientId, changes, origin })
  },
}

const apiKind: RegistrationKind = {
  section: 'apis',
  title: 'APIs',
  noun: 'an API',
  setting: 'APIS',
  documentation: 'Adding an API',
  idField: 'identifier',
  nameField: 'name',
  groups: API_FIELDS,
  shape: () => apiSchema.shape,
  list: async (c) => (await listApis(c.env, c.get('config'))).map((api) => viewApi(c, api)),
  async read(c, id) {
    const record = await readApi(c.env, c.get('config'), id)
    return record && viewApi(c, record)
  },
  async create(c, registration) {
    const origin = await administratorOrigin(c)
    return (await createApi(c.env, c.get('config'), { registration, origin })).apiSecret
  },
  async update(c, identifier, changes) {
    const origin = await administratorOrigin(c)
    await updateApi(c.env, c.get('config'), { identifier, changes, origin })
  },
}

const KINDS = { clients: clientKind, apis: apiKind }

function viewClient({ registration, ...stored }: ClientRecord): RegistrationView {
  return {
    ...stored,
    id: registration.client_id,
    name: registration.client_name,
    fields: registration,
  }
}

function viewApi(c: AppContext, { registration, ...stored }: ApiRecord): RegistrationView {
  const { identifier, name } = registration
  const isOwn = identifier === adminApi(c.get('config')).identifier
  const source = isOwn ? 'service' : stored.source
  return { ...stored, source, id: identifier, name, fields: registration }
}

function addRegistrationRoutes(routes: Hono<AppEnv>, kind: RegistrationKind): void {
  const { section, title, noun, setting } = kind
  const readOrFail = async (c: AppContext) => {
    const registration = await kind.read(c, c.req.param('id') ?? '')
    if (!registration) throw new SignInError('not_found')
    return registration
  }

  routes.get(`/${section}`, async (c) =>
    consolePage(
      c,
      { section, title },
      <RegistrationsPage
        kind={section}
        title={title}
        noun={noun}
        registrations={await kind.list(c)}
      />,
    ),
  )
  routes.get(`/${section}/:id`, async (c) => {
    const registration = await kind.read(c, c.req.param('id') ?? '')
    if (!registration) return notFoundPage(c, section, withoutArticle(noun))
    const { label } = registrationLink(section, registration)
    return consolePage(
      c,
      { section, title: label, trail: [] },
      <RegistrationPage kind={section} setting={setting} registration={registration} />,
    )
  })

  routes.get(`/new/${section}`, requireRecentSignIn, (c) =>
    registrationForm(c, kind, { values: {} }),
  )
  routes.post(`/new/${section}`, requireRecentSignIn, async (c) => {
    const entered = parseForm(enteredFields(kind), await c.req.formData())
    const registration = withoutUndefined(entered)
    try {
      const secret = await kind.create(c, registration)
      const id = String(registration[kind.idField])
      const name = String(registration[kind.nameField] ?? id)
      const link = registrationLink(section, { id, name })
      if (secret === undefined) return c.redirect(link.href, 303)
      return await secretPage(c, kind, { id, secret, link, isReplacement: false })
    } catch (error) {
      const problems = describeProblems(error)
      return registrationForm(c, kind, { values: registration, problems })
    }
  })

  routes.get(`/${section}/:id/edit`, requireRecentSignIn, async (c) => {
    const present = await readOrFail(c)
    return registrationForm(c, kind, { present, values: present.fields })
  })
  routes.post(`/${section}/:id/edit`, requireRecentSignIn, async (c) => {
    const present = await readOrFail(c)
    const { id } = present
    const { [kind.idField]: _, ...shape } = enteredFields(kind)
    const entered = parseForm(shape, await c.req.formData())
    // In a merge patch, null removes a field (RFC 7396).
    const changes = Object.fromEntries(
      Object.entries(entered).map(([name, value]) => [name, value ?? null]),
    )
    try {
      await kind.update(c, id, changes)
      return c.redirect(`/admin/${section}/${encodeURIComponent(id)}`, 303)
    } catch (error) {
      const problems = describeProblems(error)
      const values = { ...withoutUndefined(entered), [kind.idField]: id }
      return registrationForm(c, kind, { present, values, problems })
    }
  })
}

interface FormContent {
  /** Absent if the registration is new. */
  present?: RegistrationView
  values: Record<string, unknown>
  problems?: readonly string[]
}

async function registrationForm(
  c: AppContext,
  kind: RegistrationKind,
  { present, values, problems = [] }: FormContent,
): Promise<Response> {
  const { section, noun, groups, idField } = kind
  const shape = enteredFields(kind)
  const link = present && registrationLink(section, present)
  const page = (
    <RegistrationForm
      noun={withoutArticle(noun)}
      section={kind.documentation}
      action={c.req.path}
      back={link?.href ?? `/admin/${section}`}
      groups={formGroups({
        groups,
        shape,
        values,
        readOnlyField: present && idField,
        problems,
      })}
      problems={problems}
      csrfToken={await csrfToken(c)}
    />
  )
  const title = link ? `Edit ${link.label}` : `Add ${noun}`
  const status = problems.length > 0 ? 400 : 200
  return consolePage(c, { section, title, trail: link ? [link] : [], status, isForm: true }, page)
}

/** The page of a registration, and the name of the registration. */
function registrationLink(
  section: Section,
  { id, name }: Pick<RegistrationView, 'id' | 'name'>,
): TrailLink {
  return {
    href: `/admin/${section}/${encodeURIComponent(id)}`,
    label: isolateTextDirection(name ?? id),
  }
}

function withoutArticle(noun: string): string {
  return noun.replace(/^an? /, '')
}

/** Digests of secrets are not entered: the service creates secrets. */
function enteredFields(kind: RegistrationKind) {
  const fields = Object.entries(kind.shape()).filter(([name]) => !name.endsWith('secrets_sha256'))
  return Object.fromEntries(fields)
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

interface NewSecret {
  id: string
  secret: string
  link: TrailLink
  isReplacement: boolean
}

function secretPage(
  c: AppContext,
  { section, idField }: RegistrationKind,
  { link, ...secret }: NewSecret,
): Promise<Response> {
  const title = `${secret.isReplacement ? 'New secret' : 'Secret'} of ${link.label}`
  const page = <SecretPage {...secret} idField={idField} back={link.href} />
  return consolePage(c, { section, title, trail: [link] }, page)
}

async function confirmPage(
  c: AppContext,
  action: Action,
  problems: readonly string[] = [],
): Promise<Response> {
  const { section, title, consequences, label, isDanger = false } = action
  const id = c.req.param('id')
  const subject = id === undefined ? undefined : await readSubject(c, section, id)
  if (id !== undefined && !subject) return notFoundPage(c, section, subjectNoun(section))
  const page = (
    <ConfirmPage
      subject={subject?.facts ?? []}
      consequences={consequences}
      action={c.req.path}
      label={label}
      isDanger={isDanger}
      back={pageOf(c, action)}
      problems={problems}
      csrfToken={await csrfToken(c)}
    />
  )
  const status = problems.length > 0 ? 409 : 200
  return consolePage(c, { section, title, trail: subject ? [subject.link] : [], status }, page)
}

/** What an action changes. */
interface Subject {
  link: TrailLink
  facts: readonly Fact[]
}

async function readSubject(
  c: AppContext,
  section: Section,
  id: string,
): Promise<Subject | undefined> {
  if (section === 'users') return readUserSubject(c, id)
  if (section !== 'clients' && section !== 'apis') return undefined
  const registration = await KINDS[section].read(c, id)
  if (!registration) return undefined
  const { name } = registration
  return {
    link: registrationLink(section, registration),
    facts: [
      ['Name', name && isolateTextDirection(name)],
      [KINDS[section].idField, <code>{id}</code>],
    ],
  }
}

async function readUserSubject(c: AppContext, id: string): Promise<Subject | undefined> {
  // Without the user's object, so that a user whose object does not respond can still be blocked.
  const rows = await requireStorage(() => readUserRows(c.env, id))
  if (!rows) return undefined
  const summary = toUserSummary(rows.user, [])
  const sid = c.req.param('sid')
  return {
    link: userLink(summary),
    facts: [
      ...userFacts(summary),
      ...(sid === undefined ? [] : await readSessionFacts(c, id, sid)),
    ],
  }
}

async function readSessionFacts(c: AppContext, id: string, sid: string): Promise<Fact[]> {
  const details = await readUserDetails(c.env, c.get('config'), id)
  const session = details?.sessions.find((other) => other.sid === sid)
  return session ? sessionFacts(session) : [['Session', 'has already ended']]
}

function subjectNoun(section: Section): string {
  return section === 'clients' || section === 'apis' ? withoutArticle(KINDS[section].noun) : 'user'
}

async function runAction(c: AppContext, action: Action): Promise<Response> {
  const { section } = action
  const id = c.req.param('id') ?? ''
  try {
    const result = await action.run({
      env: c.env,
      config: c.get('config'),
      id,
      sid: c.req.param('sid') ?? '',
      origin: await administratorOrigin(c),
    })
    if (result === false) throw new SignInError('not_found')
    if (result === true)
      return c.redirect(action.isDeletion ? `/admin/${section}` : pageOf(c, action), 303)
    if ('document' in result) return download(c, `${id}.json`, result.document)
    const { kind, secret } = result
    // The secret is shown even if its client cannot be read again.
    const subject = await readSubject(c, section, id).catch(() => undefined)
    const link = subject?.link ?? registrationLink(section, { id, name: id })
    return await secretPage(c, KINDS[kind], { id, secret, link, isReplacement: true })
  } catch (error) {
    return confirmPage(c, action, describeProblems(error))
  }
}

/** The page of what an action is about. */
function pageOf(c: AppContext, { section }: Action): string {
  const id = c.req.param('id')
  return `/admin/${section}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
}

function download(c: AppContext, name: string, document: unknown): Response {
  return c.body(JSON.stringify(document, undefined, 2), 200, {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}

/** What the administrator can correct; anything else is thrown again. */
function describeProblems(error: unknown): readonly string[] {
  if (error instanceof RegistrationError) return error.problems
  if (error instanceof RotationTooEarlyError) return [error.message]
  throw error
}

async function administratorOrigin(c: AppContext) {
  const session = await authoritativeSession(c)
  if (!session) throw new SignInError('not_found')
  return auditOrigin(c, session.user.id)
}

interface ConsolePageOptions {
  section: Section
  title: string
  /** The pages above this one, without the section. Absent on the main page of a section. */
  trail?: readonly TrailLink[]
  status?: number
  /** Whether it is a form for a registration. */
  isForm?: boolean
}

/** Responds with a page of the console. They exist in English only. */
async function consolePage(
  c: AppContext,
  { section, title, trail, status = 200, isForm = false }: ConsolePageOptions,
  page: Child,
): Promise<Response> {
  return respondWithPage(c, page, {
    title,
    status,
    css: CONSOLE_CSS + (isForm ? FORM_CSS : DATA_CSS),
    messages: en,
    header: (
      <ConsoleHeader
        section={section}
        serviceName={c.get('config').serviceName}
        administrator={c.get('administratorName') ?? ''}
        trail={trail}
      />
    ),
  })
}
