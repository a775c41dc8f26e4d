import type { Hono } from 'hono'
import { mayUse } from '../../../administration/console/authorization.ts'
import {
  consolePage,
  describeProblems,
  notFoundPage,
} from '../../../administration/console/console-response.tsx'
import { redirectWithNotice } from '../../../administration/console/notice.ts'
import { pagePath } from '../../../administration/console/page-path.ts'
import {
  parseForm,
  RegistrationForm,
  SAVE,
} from '../../../administration/console/registration-form.tsx'
import { requireRoleFor } from '../../../administration/console/require-role.tsx'
import { findOperation, runOperation } from '../../../administration/console/run-operation.ts'
import type { ConsoleSection, OperationsById } from '../../../administration/console/section.ts'
import {
  enteredNotice,
  stepUpBefore,
  takeEnteredForm,
} from '../../../administration/console/step-up.ts'
import type { AppContext, AppEnv } from '../../../core/http/app-env.ts'
import { csrfToken } from '../../../core/http/csrf.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import { type Problem, validate } from '../../../foundation/values/problem.ts'
import type { Administrator } from '../resources/administrator.ts'
import { administratorSchema } from '../roles.ts'
import { listAdministrators } from '../users/administrators.ts'
import { AdministratorsPage, administratorFacts } from './administrators-page.tsx'
import { OWN_USER } from './confirm-page.tsx'
import { Problems } from './problems.tsx'

const PATH = '/admin/administrators'

/** The pages of administrators. The one that removes them is an action like others. */
export const ADMINISTRATORS: ConsoleSection = {
  id: 'administrators',
  label: 'Administrators',
  icon: 'm12 3 8 4v5c0 5-3.5 8-8 9-4.5-1-8-4-8-9V7z',
  group: 'Service',
  noun: 'administrator',
  readCount: async (c) => (await listAdministrators(c.env, c.get('config'))).length,
  addRoutes,
  readSubject,
}

function addRoutes(routes: Hono<AppEnv>, operations: OperationsById): void {
  const change = findOperation(operations, 'setAdministrator')
  routes.get('/administrators', async (c) => {
    const page = (
      <AdministratorsPage
        administrators={await listAdministrators(c.env, c.get('config'))}
        ownId={c.get('administrator')?.id}
        mayChange={mayUse(c, change)}
      />
    )
    return consolePage(c, { section: 'administrators', title: 'Administrators' }, page)
  })

  for (const path of ['/new/administrators', '/administrators/:id/edit']) {
    routes.use(path, requireRoleFor(change))
    routes.get(path, async (c) => {
      const present = await findAdministrator(c)
      if (isEdit(c) && !present) return notFoundPage(c, 'administrators', 'administrator')
      const entered = await takeEnteredForm(c)
      const values = { ...present, ...(entered && readValues(entered, present)) }
      return administratorForm(c, { present, values, isKept: entered !== undefined })
    })
    routes.post(path, async (c) => {
      const present = await findAdministrator(c)
      if (isEdit(c) && !present) return notFoundPage(c, 'administrators', 'administrator')
      const values = readValues(await c.req.formData(), present)
      const { data, problems } = validate(administratorSchema(), values)
      if (!data) return administratorForm(c, { present, values, problems })
      try {
        const stepUp = await stepUpBefore(c, { label: formTitle(present), cancelPath: PATH })
        if (stepUp) return stepUp
        await runOperation(c, change, { id: data.name, body: { role: data.role } })
        const name = isolateTextDirection(data.name)
        return await redirectWithNotice(c, PATH, {
          text: `${name} is an administrator, as ${data.role}.`,
          undo: undoOf(c, present, data.role),
        })
      } catch (error) {
        return administratorForm(c, { present, values, problems: describeProblems(error) })
      }
    })
  }
}

/** The form that gives an administrator the former role again. */
function undoOf(c: AppContext, present: Administrator | undefined, role: string) {
  if (!present || present.role === role) return undefined
  return { action: pagePath(c), fields: { role: present.role } }
}

/** The administrator of a form cannot be replaced by another one. */
function readValues(form: FormData, present: Administrator | undefined) {
  return { ...parseForm(administratorSchema(), form), ...(present && { name: present.name }) }
}

function formTitle(present: Administrator | undefined): string {
  if (!present) return 'Add an administrator'
  return `Change the role of ${isolateTextDirection(present.name)}`
}

/** What the page shows that asks for confirmation. */
async function readSubject(c: AppContext) {
  const administrator = await findAdministrator(c)
  return (
    administrator && {
      link: { href: PATH, label: isolateTextDirection(administrator.name) },
      facts: administratorFacts(administrator),
      isOwn: isOwn(c, administrator),
      restore: {
        action: '/admin/new/administrators',
        fields: { name: administrator.name, role: administrator.role },
      },
    }
  )
}

function isEdit(c: AppContext): boolean {
  return c.req.param('id') !== undefined
}

/** The administrator that the URL names, if any. */
async function findAdministrator(c: AppContext): Promise<Administrator | undefined> {
  const name = c.req.param('id')
  const administrators = name === undefined ? [] : await listAdministrators(c.env, c.get('config'))
  // One in the database can be changed, and comes after one of the settings with the same name.
  return administrators.findLast((other) => other.name === name)
}

function isOwn(c: AppContext, { user_id }: Administrator): boolean {
  return user_id === c.get('administrator')?.id
}

interface FormContent {
  /** Absent if the administrator is new. */
  present: Administrator | undefined
  values: Record<string, unknown>
  problems?: readonly Problem[]
  /** Whether it was entered before a step-up. */
  isKept?: boolean
}

async function administratorForm(
  c: AppContext,
  { present, values, problems = [], isKept = false }: FormContent,
): Promise<Response> {
  const page = (
    <>
      {present && isOwn(c, present) && <Problems problems={[OWN_USER]} />}
      <RegistrationForm
        noun="administrator"
        section="Administrators"
        document="docs/admin.md"
        action={pagePath(c)}
        back={PATH}
        schema={administratorSchema()}
        values={values}
        readOnlyField={present && 'name'}
        problems={problems}
        csrfToken={await csrfToken(c)}
      />
    </>
  )
  return consolePage(
    c,
    {
      section: 'administrators',
      title: formTitle(present),
      trail: [],
      notice: isKept ? enteredNotice(SAVE) : undefined,
      status: problems.length > 0 ? 400 : 200,
    },
    page,
  )
}
