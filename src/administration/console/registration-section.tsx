import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type { Config } from '../../core/config/config.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import { isServiceApi } from '../../core/registration-schemas/apis.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { isObject } from '../../foundation/values/json.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { CLIENT_KINDS, type ClientKindName } from '../client-kinds.ts'
import { listFields } from '../entered-fields.ts'
import type { Operation } from '../operation.ts'
import type { RegistrationRecord, RegistrationStore } from '../registrations/registration-store.ts'
import { toSnakeCase } from '../resources.ts'
import { mayUse } from './authorization.ts'
import type { TrailLink } from './console-parts.tsx'
import { consolePage, describeProblems, notFoundPage } from './console-response.tsx'
import { redirectWithNotice } from './notice.ts'
import { pagePath } from './page-path.ts'
import { changedFields, parseForm, RegistrationForm, SAVE } from './registration-form.tsx'
import {
  logoOf,
  type RegistrationAction,
  RegistrationPage,
  RegistrationsPage,
  type RegistrationView,
} from './registration-pages.tsx'
import { requireRoleFor } from './require-role.tsx'
import { findOperation, runOperation } from './run-operation.ts'
import { SecretPage } from './secret-page.tsx'
import type { ConsoleSection, OperationsById, Subject } from './section.ts'
import { enteredNotice, stepUpBefore, takeEnteredForm } from './step-up.ts'

/** Clients, APIs and webhooks have the same pages. */
export interface RegistrationKind {
  store: RegistrationStore
  title: string
  /** As that of a section. */
  icon: string
  /** With its article. */
  noun: string
  /** What they are for, in sentences. */
  purpose: string
  nameField: string
  /** The title of the column with the names. */
  nameTitle?: string
  /** The section that describes the fields, and its document, if that is not docs/reference.md. */
  documentation: string
  document?: string
  /** The ids of the operations. */
  create: string
  update: string
  actions?: readonly RegistrationAction[]
  /** What only clients have: a kind, from which some fields follow, and a look of their own. */
  client?: {
    /** Where the form shows the sign-in page, below `/admin`. */
    previewPath: string
    showPreview(c: AppContext): Promise<Response>
    /** The sign-in page of the client that the URL names. */
    showSignInPage(c: AppContext): Promise<Response>
  }
  /** What is valid in a registration, but may not work as the administrator expects. */
  readWarnings?(c: AppContext, registration: Record<string, unknown>): Promise<string[]>
  /** What else is said about it on the page that asks for confirmation, by the URL. */
  readFurtherSubject?(c: AppContext, id: string): Promise<Pick<Subject, 'facts' | 'warning'>>
  /** What else its page shows. */
  showMore?(c: AppContext, registration: RegistrationView): Promise<Child>
  /** What else is shown with a new secret. */
  showWithSecret?(c: AppContext, created: CreatedSecret): Promise<Child>
}

interface CreatedSecret {
  id: string
  secret: string
  registration: Record<string, unknown>
}

/** The section of clients, of APIs or of webhooks. */
export function registrationSection(kind: RegistrationKind): ConsoleSection {
  const { store } = kind
  return {
    id: store.table.name,
    label: kind.title,
    icon: kind.icon,
    group: 'Apps',
    readCount: (c) => store.count(c.env, c.get('config')),
    noun: store.noun,
    hasSubjectPages: true,
    addRoutes(routes, operations) {
      addPages(routes, kind, operations)
      addCreation(routes, kind, findOperation(operations, kind.create))
      addEditing(routes, kind, findOperation(operations, kind.update))
    },
    readSubject: (c, id) => readSubject(c, kind, id),
    async respond(c, _operation, result) {
      const secret = readSecret(kind, result)
      if (secret === undefined) return undefined
      return secretPage(c, kind, { id: c.req.param('id') ?? '', secret, isReplacement: true })
    },
  }
}

/** The list, and the page of each registration. */
function addPages(routes: Hono<AppEnv>, kind: RegistrationKind, operations: OperationsById): void {
  const { store, title, noun, purpose, nameTitle, actions } = kind
  const section = store.table.name
  const create = findOperation(operations, kind.create)
  const update = findOperation(operations, kind.update)

  routes.get(`/${section}`, async (c) => {
    const registrations = await listRegistrations(c, kind)
    return consolePage(
      c,
      { section, title, images: registrations.map(logoOf) },
      <RegistrationsPage
        kind={section}
        nameTitle={nameTitle}
        title={title}
        noun={noun}
        purpose={purpose}
        registrations={registrations}
        filter={{ sort: c.req.query('sort') ?? '', state: c.req.query('state') ?? '' }}
        mayChange={mayUse(c, create)}
      />,
    )
  })
  routes.get(`/${section}/:id`, async (c) => {
    const registration = await readRegistration(c, kind)
    if (!registration) return notFoundPage(c, section, store.noun)
    const { label } = registrationLink(kind, registration)
    return consolePage(
      c,
      { section, title: label, trail: [], hasFrame: kind.client !== undefined },
      <RegistrationPage
        kind={section}
        registration={registration}
        schema={schemaOf(c, kind)}
        actions={actions}
        mayChange={mayUse(c, update)}
      >
        {await kind.showMore?.(c, registration)}
      </RegistrationPage>,
    )
  })
  const { client } = kind
  if (client) routes.get(`/${section}/:id/preview`, (c) => client.showSignInPage(c))
}

function addCreation(routes: Hono<AppEnv>, kind: RegistrationKind, create: Operation): void {
  const { store, client } = kind
  const path = `/new/${store.table.name}`
  routes.use(path, requireRoleFor(create))
  const read = (c: AppContext, form: FormData) => ({
    values: withoutUndefined(parseForm(schemaOf(c, kind), form)),
    clientKind: client && readClientKind(form),
  })
  routes.get(path, async (c) => {
    const entered = await takeEnteredForm(c)
    const content = entered && { ...read(c, entered), isKept: true }
    return registrationForm(c, kind, content ?? { values: {}, clientKind: client && 'web' })
  })
  routes.post(path, async (c) => {
    const { values, clientKind } = read(c, await c.req.formData())
    const body = { ...(clientKind && CLIENT_KINDS[clientKind].fields), ...values }
    try {
      const stepUp = await stepUpBefore(c, formPurpose(kind))
      if (stepUp) return stepUp
      const result = await runOperation(c, create, { body })
      const id = String(values[store.table.idField])
      const secret = readSecret(kind, result)
      if (secret === undefined) {
        const { href, label } = registrationLink(kind, {
          id,
          name: textOrAbsent(values[kind.nameField]),
        })
        return await redirectWithNotice(c, href, { text: `${label} is registered.` })
      }
      return await secretPage(c, kind, { id, secret, isReplacement: false })
    } catch (error) {
      const problems = describeProblems(error)
      return registrationForm(c, kind, { values, clientKind, problems })
    }
  })
  if (client) {
    routes.use(client.previewPath, requireRoleFor(create))
    routes.post(client.previewPath, (c) => client.showPreview(c))
  }
}

function addEditing(routes: Hono<AppEnv>, kind: RegistrationKind, update: Operation): void {
  const { store } = kind
  const { name: section, idField } = store.table
  const path = `/${section}/:id/edit`
  const readOrFail = async (c: AppContext) => {
    const registration = await readRegistration(c, kind)
    if (!registration) throw new SignInError('not_found')
    return registration
  }
  routes.use(path, requireRoleFor(update))
  const read = (c: AppContext, form: FormData, { id }: RegistrationView) => ({
    ...parseForm(schemaOf(c, kind), form),
    [idField]: id,
  })
  routes.get(path, async (c) => {
    const present = await readOrFail(c)
    const form = await takeEnteredForm(c)
    const values = form ? withoutUndefined(read(c, form, present)) : present.registration
    return registrationForm(c, kind, { present, values, isKept: form !== undefined })
  })
  routes.post(path, async (c) => {
    const present = await readOrFail(c)
    const entered = read(c, await c.req.formData(), present)
    const changes = changedFields(schemaOf(c, kind), present.registration, entered)
    try {
      const stepUp = await stepUpBefore(c, formPurpose(kind, present))
      if (stepUp) return stepUp
      if (Object.keys(changes).length > 0) await runOperation(c, update, { body: changes })
      const { href, label } = registrationLink(kind, present)
      const text = Object.keys(changes).length > 0 ? `${label} is changed.` : 'Nothing was changed.'
      return await redirectWithNotice(c, href, { text })
    } catch (error) {
      const problems = describeProblems(error)
      const values = withoutUndefined(entered)
      return registrationForm(c, kind, { present, values, problems })
    }
  })
}

/** Describes the fields in this deployment. */
function schemaOf(c: AppContext, { store }: RegistrationKind) {
  return store.schemaOf(c.get('config').features)
}

interface FormContent {
  /** Absent if the registration is new. */
  present?: RegistrationView
  values: Record<string, unknown>
  /** Of a new client. */
  clientKind?: ClientKindName | undefined
  problems?: readonly Problem[]
  /** Whether it was entered before a step-up. */
  isKept?: boolean
}

/** What the form is called, and where its link Cancel leads. */
function formPurpose(kind: RegistrationKind, present?: RegistrationView) {
  const link = present && registrationLink(kind, present)
  return {
    label: link ? `Edit ${link.label}` : `Add ${kind.noun}`,
    cancelPath: link?.href ?? `/admin/${kind.store.table.name}`,
  }
}

async function registrationForm(
  c: AppContext,
  kind: RegistrationKind,
  { present, values, clientKind, problems = [], isKept = false }: FormContent,
): Promise<Response> {
  const { store, client } = kind
  const section = store.table.name
  const link = present && registrationLink(kind, present)
  const { label: title, cancelPath } = formPurpose(kind, present)
  const page = (
    <RegistrationForm
      noun={store.noun}
      section={kind.documentation}
      document={kind.document}
      action={pagePath(c)}
      back={cancelPath}
      schema={schemaOf(c, kind)}
      values={values}
      readOnlyField={present && store.table.idField}
      clientKind={clientKind}
      preview={client && `/admin${client.previewPath}`}
      warnings={(await kind.readWarnings?.(c, values)) ?? []}
      problems={problems}
      csrfToken={await csrfToken(c)}
    />
  )
  return consolePage(
    c,
    {
      section,
      title,
      trail: link ? [link] : [],
      notice: isKept ? enteredNotice(SAVE) : undefined,
      status: problems.length > 0 ? 400 : 200,
      hasFrame: client !== undefined,
    },
    page,
  )
}

function readClientKind(form: FormData): ClientKindName {
  const name = form.get('kind')
  return typeof name === 'string' && Object.hasOwn(CLIENT_KINDS, name)
    ? (name as ClientKindName)
    : 'web'
}

/** The secret in the response of an operation. */
function readSecret({ store }: RegistrationKind, result: unknown): string | undefined {
  return isObject(result) ? textOrAbsent(result[`${store.noun}_secret`]) : undefined
}

function textOrAbsent(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

interface NewSecret {
  id: string
  secret: string
  isReplacement: boolean
}

/** The page that shows a secret, once. */
async function secretPage(
  c: AppContext,
  kind: RegistrationKind,
  { id, secret, isReplacement }: NewSecret,
): Promise<Response> {
  const { name: section, idField } = kind.store.table
  const idTitle =
    listFields(schemaOf(c, kind)).find(({ name }) => name === idField)?.title ?? idField
  // The secret is shown even if its registration cannot be read again.
  const record = await kind.store.read(c.env, c.get('config'), id).catch(() => undefined)
  const { registration = {} } = record ?? {}
  const link = registrationLink(kind, { id, name: textOrAbsent(registration[kind.nameField]) })
  const page = (
    <SecretPage {...{ id, secret, isReplacement }} idTitle={idTitle} back={link.href}>
      {await kind.showWithSecret?.(c, { id, secret, registration })}
    </SecretPage>
  )
  const title = `${isReplacement ? 'New secret' : 'Secret'} of ${link.label}`
  return consolePage(c, { section, title, trail: [link] }, page)
}

/** What the pages show of a registration. */
function viewRegistration(
  config: Config,
  { nameField }: RegistrationKind,
  { id, registration, ...stored }: RegistrationRecord,
): RegistrationView {
  return {
    id,
    name: textOrAbsent(registration[nameField]),
    registration,
    ...toSnakeCase(stored),
    ...(isServiceApi(config, id) && { source: 'service' }),
  }
}

export async function listRegistrations(
  c: AppContext,
  kind: RegistrationKind,
): Promise<RegistrationView[]> {
  const config = c.get('config')
  const records = await kind.store.list(c.env, config)
  return records.map((record) => viewRegistration(config, kind, record))
}

async function readRegistration(
  c: AppContext,
  kind: RegistrationKind,
): Promise<RegistrationView | undefined> {
  const config = c.get('config')
  const record = await kind.store.read(c.env, config, c.req.param('id') ?? '')
  return record && viewRegistration(config, kind, record)
}

async function readSubject(
  c: AppContext,
  kind: RegistrationKind,
  id: string,
): Promise<Subject | undefined> {
  const registration = await readRegistration(c, kind)
  if (!registration) return undefined
  const { name } = registration
  const event = c.req.param('event')
  const further = await kind.readFurtherSubject?.(c, id)
  return {
    link: registrationLink(kind, registration),
    facts: [
      ['Name', { name }],
      [kind.store.table.idField, { code: id }],
      ['Event', { code: event }],
      ...(further?.facts ?? []),
    ],
    warning: further?.warning,
  }
}

/** The page of a registration, and the name of the registration. */
function registrationLink(
  { store }: RegistrationKind,
  { id, name }: { id: string; name?: string | undefined },
): TrailLink {
  return {
    href: `/admin/${store.table.name}/${encodeURIComponent(id)}`,
    label: isolateTextDirection(name ?? id),
  }
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
