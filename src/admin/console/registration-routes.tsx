import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { adminApi } from '../../config/apis.ts'
import type { AppContext, AppEnv } from '../../config/app-env.ts'
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
import { requireStorage } from '../../storage/unavailable-error.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import type { Problem } from '../../values/problem.ts'
import { administratorOrigin, mayUse, requireRecentSignIn } from '../authorization.ts'
import type { OperationId } from '../operation-table.ts'
import { SecretPage } from './confirm-page.tsx'
import { consolePage, describeProblems, notFoundPage } from './console-page.tsx'
import type { Section, TrailLink } from './console-parts.tsx'
import { parseForm, RegistrationForm } from './registration-form.tsx'
import {
  RegistrationPage,
  RegistrationsPage,
  type RegistrationView,
} from './registration-pages.tsx'
import { requireRoleFor } from './require-role.tsx'
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
  /** What else its page shows. */
  showMore?: (c: AppContext, id: string) => Promise<Child>
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

async function showDeliveries(c: AppContext, id: string): Promise<Child> {
  const [state, { deliveries }] = await requireStorage(() =>
    Promise.all([
      readDeliveryState(c.env, id),
      listDeliveries(c.env, { id, limit: MAX_DELIVERIES }),
    ]),
  )
  const mayResend = mayUse(c, 'resendWebhookEvent')
  return state && <Deliveries {...{ id, state, deliveries, mayResend }} />
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
    const config = c.get('config')
    const records = await store.list(c.env, config)
    const registrations = records.map((record) => viewRegistration(config, kind, record))
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
        {await kind.showMore?.(c, registration.id)}
      </>,
    )
  })

  routes.use(`/new/${section}`, requireRoleFor(kind.create))
  routes.get(`/new/${section}`, requireRecentSignIn, (c) =>
    registrationForm(c, kind, { values: {} }),
  )
  routes.post(`/new/${section}`, requireRecentSignIn, async (c) => {
    const entered = parseForm(store.schema, await c.req.formData())
    const registration = withoutUndefined(entered)
    try {
      const origin = await administratorOrigin(c)
      const config = c.get('config')
      const { record, secret } = await store.create(c.env, config, { registration, origin })
      const link = registrationLink(section, viewRegistration(config, kind, record))
      if (secret === undefined) return c.redirect(link.href, 303)
      return await secretPage(c, kind, { id: record.id, secret, link, isReplacement: false })
    } catch (error) {
      const problems = describeProblems(error)
      return registrationForm(c, kind, { values: registration, problems })
    }
  })

  routes.use(`/${section}/:id/edit`, requireRoleFor(kind.update))
  routes.get(`/${section}/:id/edit`, requireRecentSignIn, async (c) => {
    const present = await readOrFail(c)
    return registrationForm(c, kind, { present, values: present.registration })
  })
  routes.post(`/${section}/:id/edit`, requireRecentSignIn, async (c) => {
    const present = await readOrFail(c)
    const { id } = present
    const { [idField]: _, ...entered } = parseForm(store.schema, await c.req.formData())
    // In a merge patch, null removes a field (RFC 7396).
    const changes = Object.fromEntries(
      Object.entries(entered).map(([name, value]) => [name, value ?? null]),
    )
    try {
      const origin = await administratorOrigin(c)
      await store.update(c.env, c.get('config'), { id, changes, origin })
      return c.redirect(registrationLink(section, present).href, 303)
    } catch (error) {
      const problems = describeProblems(error)
      const values = { ...withoutUndefined(entered), [idField]: id }
      return registrationForm(c, kind, { present, values, problems })
    }
  })
}

interface FormContent {
  /** Absent if the registration is new. */
  present?: RegistrationView
  values: Record<string, unknown>
  problems?: readonly Problem[]
}

async function registrationForm(
  c: AppContext,
  kind: RegistrationKind,
  { present, values, problems = [] }: FormContent,
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
      problems={problems}
      csrfToken={await csrfToken(c)}
    />
  )
  const title = link ? `Edit ${link.label}` : `Add ${noun}`
  const status = problems.length > 0 ? 400 : 200
  return consolePage(c, { section, title, trail: link ? [link] : [], status }, page)
}

interface NewSecret {
  id: string
  secret: string
  link: TrailLink
  isReplacement: boolean
}

/** The page that shows a secret, once. */
export function secretPage(
  c: AppContext,
  { store }: RegistrationKind,
  { link, ...secret }: NewSecret,
): Promise<Response> {
  const { name: section, idField } = store.table
  const title = `${secret.isReplacement ? 'New secret' : 'Secret'} of ${link.label}`
  const page = <SecretPage {...secret} idField={idField} back={link.href} />
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
