import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { type Api, adminApi, unknownScopes } from '../../config/apis.ts'
import type { AppContext, AppEnv } from '../../config/app-env.ts'
import { CLIENT_KINDS, type ClientKindName } from '../../config/clients.ts'
import type { Config } from '../../config/config.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { listDeliveries, readDeliveryState } from '../../event-delivery/deliveries.ts'
import { webhookStore } from '../../event-delivery/webhook-store.ts'
import { csrfToken } from '../../http/csrf.ts'
import { apiStore } from '../../registrations/api-store.ts'
import { clientStore } from '../../registrations/client-store.ts'
import type {
  RegistrationRecord,
  RegistrationStore,
} from '../../registrations/registration-store.ts'
import type { Table } from '../../registrations/stored-registrations.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import type { Problem } from '../../values/problem.ts'
import { administratorOrigin, mayUse, requireRecentSignIn } from '../authorization.ts'
import type { OperationId } from '../operation-table.ts'
import { previewClient } from './client-preview.tsx'
import { consolePage, describeProblems, notFoundPage } from './console-page.tsx'
import type { Section, TrailLink } from './console-parts.tsx'
import { changedFields, parseForm, RegistrationForm, Warnings } from './registration-form.tsx'
import {
  RegistrationPage,
  RegistrationsPage,
  type RegistrationView,
} from './registration-pages.tsx'
import { requireRoleFor } from './require-role.tsx'
import { Connection, SecretPage } from './secret-page.tsx'
import { Deliveries } from './webhook-deliveries.tsx'

/** Clients, APIs and webhooks have the same pages. */
export interface RegistrationKind {
  store: RegistrationStore
  title: string
  /** With its article. */
  noun: string
  nameField: string
  /** The section of docs/operations.md that describes the fields. */
  documentation: string
  create: OperationId
  update: OperationId
  /** Whether it is a client, of a kind from which some fields follow, and with a look of its own. */
  hasClientKinds?: boolean
  /** What else its page shows. */
  showMore?: (c: AppContext, registration: RegistrationView) => Promise<Child>
}

export const REGISTRATION_KINDS: Record<Table['name'], RegistrationKind> = {
  clients: {
    store: clientStore,
    title: 'Clients',
    noun: 'a client',
    nameField: 'client_name',
    documentation: 'Fields of clients',
    create: 'createClient',
    update: 'updateClient',
    hasClientKinds: true,
    showMore: showConnection,
  },
  apis: {
    store: apiStore,
    title: 'APIs',
    noun: 'an API',
    nameField: 'name',
    documentation: 'Fields of APIs',
    create: 'createApi',
    update: 'updateApi',
  },
  webhooks: {
    store: webhookStore,
    title: 'Webhooks',
    noun: 'a webhook',
    nameField: 'url',
    documentation: 'Webhooks',
    create: 'createWebhook',
    update: 'updateWebhook',
    showMore: showDeliveries,
  },
}

/** More are listed by the command `webhooks deliveries`. */
const MAX_DELIVERIES = 50

async function showDeliveries(c: AppContext, { id }: RegistrationView): Promise<Child> {
  const [state, { deliveries }] = await Promise.all([
    readDeliveryState(c.env, id),
    listDeliveries(c.env, { id, limit: MAX_DELIVERIES }),
  ])
  const mayResend = mayUse(c, 'resendWebhookEvent')
  return state && <Deliveries {...{ id, state, deliveries, mayResend }} />
}

/** What an app needs to know, and what may not work. */
async function showConnection(
  c: AppContext,
  { id, registration }: RegistrationView,
): Promise<Child> {
  return (
    <>
      <Warnings warnings={await readWarnings(c, REGISTRATION_KINDS.clients, registration)} />
      <Connection issuer={c.get('config').issuer} clientId={id} registration={registration} />
    </>
  )
}

/** The registrations that a section of the console is about. */
export function findKind(section: Section): RegistrationKind | undefined {
  return Object.values(REGISTRATION_KINDS).find(({ store }) => store.table.name === section)
}

/** The pages of clients, of APIs or of webhooks. */
export function addRegistrationRoutes(routes: Hono<AppEnv>, kind: RegistrationKind): void {
  const { store, title, noun } = kind
  const section = store.table.name
  const { idField } = store.table
  const readOrFail = async (c: AppContext) => {
    const registration = await readRegistration(c, kind)
    if (!registration) throw new SignInError('not_found')
    return registration
  }

  routes.get(`/${section}`, async (c) => {
    const registrations = await listRegistrations(c, kind)
    return consolePage(
      c,
      { section, title },
      <RegistrationsPage
        kind={section}
        title={title}
        noun={noun}
        registrations={registrations}
        mayChange={mayUse(c, kind.create)}
      />,
    )
  })
  routes.get(`/${section}/:id`, async (c) => {
    const registration = await readRegistration(c, kind)
    if (!registration) return notFoundPage(c, section, store.noun)
    const { label } = registrationLink(section, registration)
    return consolePage(
      c,
      { section, title: label, trail: [] },
      <>
        <RegistrationPage
          kind={section}
          registration={registration}
          mayChange={mayUse(c, kind.update)}
        />
        {await kind.showMore?.(c, registration)}
      </>,
    )
  })

  routes.use(`/new/${section}`, requireRoleFor(kind.create))
  routes.get(`/new/${section}`, requireRecentSignIn, (c) =>
    registrationForm(c, kind, { values: {}, clientKind: kind.hasClientKinds ? 'web' : undefined }),
  )
  routes.post(`/new/${section}`, requireRecentSignIn, async (c) => {
    const form = await c.req.formData()
    const values = withoutUndefined(parseForm(store.schema, form))
    const clientKind = kind.hasClientKinds ? readClientKind(form) : undefined
    const registration = { ...(clientKind && CLIENT_KINDS[clientKind].fields), ...values }
    try {
      const origin = await administratorOrigin(c)
      const config = c.get('config')
      const { record, secret } = await store.create(c.env, config, { registration, origin })
      const link = registrationLink(section, viewRegistration(config, kind, record))
      if (secret === undefined) return c.redirect(link.href, 303)
      return await secretPage(c, kind, { id: record.id, secret, link, isReplacement: false })
    } catch (error) {
      const problems = describeProblems(error)
      return registrationForm(c, kind, { values, clientKind, problems })
    }
  })

  if (kind.hasClientKinds) {
    routes.use(PREVIEW_PATH, requireRoleFor(kind.create))
    routes.post(PREVIEW_PATH, requireRecentSignIn, previewClient)
  }

  routes.use(`/${section}/:id/edit`, requireRoleFor(kind.update))
  routes.get(`/${section}/:id/edit`, requireRecentSignIn, async (c) => {
    const present = await readOrFail(c)
    return registrationForm(c, kind, { present, values: present.registration })
  })
  routes.post(`/${section}/:id/edit`, requireRecentSignIn, async (c) => {
    const present = await readOrFail(c)
    const { id } = present
    const entered = { ...parseForm(store.schema, await c.req.formData()), [idField]: id }
    const changes = changedFields(store.schema, present.registration, entered)
    try {
      const origin = await administratorOrigin(c)
      if (Object.keys(changes).length > 0) {
        await store.update(c.env, c.get('config'), { id, changes, origin })
      }
      return c.redirect(registrationLink(section, present).href, 303)
    } catch (error) {
      const problems = describeProblems(error)
      const values = withoutUndefined(entered)
      return registrationForm(c, kind, { present, values, problems })
    }
  })
}

interface FormContent {
  /** Absent if the registration is new. */
  present?: RegistrationView
  values: Record<string, unknown>
  /** Of a new client. */
  clientKind?: ClientKindName | undefined
  problems?: readonly Problem[]
}

async function registrationForm(
  c: AppContext,
  kind: RegistrationKind,
  { present, values, clientKind, problems = [] }: FormContent,
): Promise<Response> {
  const { noun, store } = kind
  const section = store.table.name
  const link = present && registrationLink(section, present)
  const page = (
    <RegistrationForm
      noun={store.noun}
      section={kind.documentation}
      action={c.req.path}
      back={link?.href ?? `/admin/${section}`}
      schema={store.schema}
      values={values}
      readOnlyField={present && store.table.idField}
      clientKind={clientKind}
      preview={kind.hasClientKinds ? `/admin${PREVIEW_PATH}` : undefined}
      warnings={await readWarnings(c, kind, values)}
      problems={problems}
      csrfToken={await csrfToken(c)}
    />
  )
  const title = link ? `Edit ${link.label}` : `Add ${noun}`
  const status = problems.length > 0 ? 400 : 200
  return consolePage(
    c,
    { section, title, trail: link ? [link] : [], status, hasFrame: kind.hasClientKinds },
    page,
  )
}

/** Where the form of a client shows its sign-in page, below `/admin`. */
const PREVIEW_PATH = '/new/clients/preview'

function readClientKind(form: FormData): ClientKindName {
  const name = form.get('kind')
  return typeof name === 'string' && Object.hasOwn(CLIENT_KINDS, name)
    ? (name as ClientKindName)
    : 'web'
}

/** What is valid in a registration, but may not work as the administrator expects. */
async function readWarnings(
  c: AppContext,
  { hasClientKinds }: RegistrationKind,
  { scope }: Record<string, unknown>,
): Promise<string[]> {
  if (!hasClientKinds || typeof scope !== 'string' || unknownScopes(scope, []).length === 0)
    return []
  const apis = await apiStore.list(c.env, c.get('config'))
  const known = apis.map(({ registration }) => ({ scopes: (registration as Api).scopes ?? [] }))
  return unknownScopes(scope, known).map(
    (name) => `No API has the scope ${name}. No token will contain it, until an API does.`,
  )
}

interface NewSecret {
  id: string
  secret: string
  link: TrailLink
  isReplacement: boolean
}

/** The page that shows a secret, once. */
export async function secretPage(
  c: AppContext,
  kind: RegistrationKind,
  { link, ...newSecret }: NewSecret,
): Promise<Response> {
  const { name: section, idField } = kind.store.table
  const { id, secret, isReplacement } = newSecret
  const title = `${isReplacement ? 'New secret' : 'Secret'} of ${link.label}`
  // The secret is shown even if its client cannot be read again.
  const record = await kind.store.read(c.env, c.get('config'), id).catch(() => undefined)
  const { registration = {} } = record ?? {}
  const page = (
    <SecretPage {...newSecret} idField={idField} back={link.href}>
      {kind.hasClientKinds && (
        <>
          <Warnings warnings={await readWarnings(c, kind, registration).catch(() => [])} />
          <Connection
            issuer={c.get('config').issuer}
            clientId={id}
            secret={secret}
            registration={registration}
          />
        </>
      )}
    </SecretPage>
  )
  return consolePage(c, { section, title, trail: [link] }, page)
}

/** What the pages show of a registration. */
function viewRegistration(
  config: Config,
  { nameField }: RegistrationKind,
  record: RegistrationRecord,
): RegistrationView {
  const isOwn = record.id === adminApi(config).identifier
  const name = record.registration[nameField]
  return {
    ...record,
    source: isOwn ? 'service' : record.source,
    name: typeof name === 'string' ? name : undefined,
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

export async function readRegistration(
  c: AppContext,
  kind: RegistrationKind,
): Promise<RegistrationView | undefined> {
  const config = c.get('config')
  const record = await kind.store.read(c.env, config, c.req.param('id') ?? '')
  return record && viewRegistration(config, kind, record)
}

/** The page of a registration, and the name of the registration. */
export function registrationLink(
  section: Section,
  { id, name }: Pick<RegistrationView, 'id' | 'name'>,
): TrailLink {
  return {
    href: `/admin/${section}/${encodeURIComponent(id)}`,
    label: isolateTextDirection(name ?? id),
  }
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
