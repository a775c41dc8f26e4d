import type { Hono } from 'hono'
import type { AppContext, AppEnv } from '../../config/app-env.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { csrfToken } from '../../http/csrf.ts'
import type { Problem } from '../../values/problem.ts'
import { formGroups, parseForm } from '../registration-form.ts'
import { administratorOrigin } from './administrator-origin.ts'
import { consolePage, notFoundPage } from './console-page.tsx'
import { describeProblems } from './describe-problems.ts'
import {
  type RegistrationKind,
  readRegistration,
  registrationLink,
  viewRegistration,
  withoutArticle,
} from './registration-kinds.ts'
import {
  RegistrationForm,
  RegistrationPage,
  RegistrationsPage,
  type RegistrationView,
} from './registration-pages.tsx'
import { requireRecentSignIn } from './require-recent-sign-in.ts'
import { secretPage } from './secret-page.tsx'

/** The pages of clients or of APIs. */
export function addRegistrationRoutes(routes: Hono<AppEnv>, kind: RegistrationKind): void {
  const { section, title, noun, setting } = kind
  const readOrFail = async (c: AppContext) => {
    const registration = await readRegistration(c, kind)
    if (!registration) throw new SignInError('not_found')
    return registration
  }

  routes.get(`/${section}`, async (c) => {
    const config = c.get('config')
    const records = await kind.store.list(c.env, config)
    const registrations = records.map((record) => viewRegistration(config, kind, record))
    return consolePage(
      c,
      { section, title },
      <RegistrationsPage kind={section} title={title} noun={noun} registrations={registrations} />,
    )
  })
  routes.get(`/${section}/:id`, async (c) => {
    const registration = await readRegistration(c, kind)
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
      const origin = await administratorOrigin(c)
      const created = await kind.store.create(c.env, c.get('config'), { registration, origin })
      const {
        secret,
        record: { id },
      } = created
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
    const { [kind.store.table.idField]: _, ...shape } = enteredFields(kind)
    const entered = parseForm(shape, await c.req.formData())
    // In a merge patch, null removes a field (RFC 7396).
    const changes = Object.fromEntries(
      Object.entries(entered).map(([name, value]) => [name, value ?? null]),
    )
    try {
      const origin = await administratorOrigin(c)
      await kind.store.update(c.env, c.get('config'), { id, changes, origin })
      return c.redirect(`/admin/${section}/${encodeURIComponent(id)}`, 303)
    } catch (error) {
      const problems = describeProblems(error)
      const values = { ...withoutUndefined(entered), [kind.store.table.idField]: id }
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
  const { section, noun, groups, store } = kind
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
        readOnlyField: present && store.table.idField,
        problems,
      })}
      problems={problems}
      csrfToken={await csrfToken(c)}
    />
  )
  const title = link ? `Edit ${link.label}` : `Add ${noun}`
  const status = problems.length > 0 ? 400 : 200
  return consolePage(c, { section, title, trail: link ? [link] : [], status }, page)
}

/** Digests of secrets are not entered: the service creates secrets. */
function enteredFields(kind: RegistrationKind) {
  const fields = Object.entries(kind.shape()).filter(([name]) => !name.endsWith('secrets_sha256'))
  return Object.fromEntries(fields)
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
