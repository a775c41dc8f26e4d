import { mayUse } from '../../../administration/console/authorization.ts'
import {
  consolePage,
  describeProblems,
  notFoundPage,
} from '../../../administration/console/console-response.tsx'
import { redirectWithNotice, type UndoForm } from '../../../administration/console/notice.ts'
import { pagePath } from '../../../administration/console/page-path.ts'
import { describeFieldProblem } from '../../../administration/console/registration-form.tsx'
import { runOperation } from '../../../administration/console/run-operation.ts'
import type { ConsoleSection, Subject } from '../../../administration/console/section.ts'
import {
  enteredNotice,
  stepUpBefore,
  takeEnteredForm,
} from '../../../administration/console/step-up.ts'
import { HttpProblem } from '../../../administration/http-problem.ts'
import type { Operation } from '../../../administration/operation.ts'
import type { OperationDescription } from '../../../administration/operation-description.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import { csrfToken } from '../../../core/http/csrf.ts'
import { RegistrationError } from '../../../core/registrations/registration-error.ts'
import { isObject } from '../../../foundation/values/json.ts'
import { formatProblem, type Problem, validate } from '../../../foundation/values/problem.ts'
import { endedSessions } from '../resources/user.ts'
import { ConfirmPage, OWN_USER } from './confirm-page.tsx'

/** Where an operation is confirmed, below `/admin`. */
export function actionPath({ method, path }: OperationDescription): string {
  return method === 'delete' ? `${path}/delete` : path
}

/** An operation that administrators confirm, and its section. */
export interface Action {
  operation: Operation
  section: ConsoleSection
  /** The operation that undoes it, if there is one. */
  undo: Operation | undefined
}

/** The page that names what an operation changes, and asks for confirmation. */
export async function confirmPage(
  c: AppContext,
  { operation, section }: Action,
  problems: readonly string[] = [],
): Promise<Response> {
  const subject = await readSubject(c, section)
  if (c.req.param('id') !== undefined && !subject) return notFoundPage(c, section.id, section.noun)
  const entered = problems.length > 0 ? undefined : await takeEnteredForm(c)
  const page = (
    <ConfirmPage
      subject={subject?.facts ?? []}
      warning={subject?.isOwn && operation.isDanger ? OWN_USER : subject?.warning}
      operation={operation}
      action={pagePath(c)}
      back={pageOf(c, section)}
      problems={problems}
      entered={readEntered(operation, entered)}
      csrfToken={await csrfToken(c)}
    />
  )
  return consolePage(
    c,
    {
      section: section.id,
      title: operation.summary,
      trail: subject ? [subject.link] : [],
      notice: entered && enteredNotice(operation.button ?? ''),
      status: problems.length > 0 ? 409 : 200,
    },
    page,
  )
}

/** Runs an operation that was confirmed. */
export async function runAction(c: AppContext, action: Action): Promise<Response> {
  const { operation, section, undo } = action
  try {
    // Before it is deleted.
    const subject = await readSubject(c, section)
    const stepUp = await stepUpBefore(c, {
      label: nameOperation(action, subject),
      cancelPath: pageOf(c, section),
    })
    if (stepUp) return stepUp
    const result = await runOperation(c, operation, { body: await readInput(c, operation) })
    if (operation.isDownload) return download(c, `${c.req.param('id')}.json`, result)
    const response = await section.respond?.(c, operation, result)
    if (response) return response
    const isDeletion = operation.method === 'delete'
    const path = isDeletion ? `/admin/${section.id}` : pageOf(c, section)
    return await redirectWithNotice(c, path, {
      text: describeResult(operation, subject?.link.label ?? '', result),
      undo: isDeletion ? subject?.restore : undoForm(c, undo),
    })
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) {
      return notFoundPage(c, section.id, section.noun)
    }
    return confirmPage(
      c,
      action,
      describeProblems(error).map((problem) => describeProblem(action.operation, problem)),
    )
  }
}

/** The form that undoes an operation, if the role of the administrator allows it. */
function undoForm(c: AppContext, undo: Operation | undefined): UndoForm | undefined {
  return undo && mayUse(c, undo) ? { action: pathWithParameters(c, undo), fields: {} } : undefined
}

/** Where another operation on the same things is confirmed. */
function pathWithParameters(c: AppContext, operation: OperationDescription): string {
  const path = actionPath(operation).replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(c.req.param(name) ?? ''),
  )
  return `/admin${path}`
}

/** What the operation is about; undefined if it is about nothing in particular. */
async function readSubject(c: AppContext, section: ConsoleSection): Promise<Subject | undefined> {
  const id = c.req.param('id')
  return id === undefined ? undefined : section.readSubject?.(c, id)
}

/** Such as "Block Zoe Walker". */
function nameOperation({ operation, section }: Action, subject: Subject | undefined): string {
  const { summary } = operation
  return subject ? summary.replace(`this ${section.noun}`, () => subject.link.label) : summary
}

/** The text that the page has asked for. */
function readEntered({ input }: Operation, form: FormData | undefined): string {
  const entered = input && form?.get(input.name)
  return typeof entered === 'string' ? entered.trim() : ''
}

/** The same as the body of the operation. */
async function readInput(c: AppContext, operation: Operation): Promise<unknown> {
  const { input, body } = operation
  if (!input || !body) return undefined
  const text = readEntered(operation, await c.req.formData())
  const { data, problems } = validate(body, text === '' ? {} : { [input.name]: text })
  if (problems.length > 0) throw new RegistrationError(...problems)
  return data
}

/** By the label of the text that the page has asked for, if that is the problem. */
function describeProblem({ input }: Operation, problem: Problem): string {
  if (!input || problem.path[0] !== input.name) return formatProblem(problem)
  return describeFieldProblem(input.label, problem, undefined)
}

/** What the next page says. */
function describeResult({ done = '' }: Operation, name: string, result: unknown): string {
  const ended = isObject(result) ? Number(result['sessions_ended'] ?? 0) : 0
  return `${done.replace('{subject}', () => name)}${ended > 0 ? ` ${endedSessions(ended)}` : ''}`
}

/** The page of what an operation is about. */
function pageOf(c: AppContext, { id: section, hasSubjectPages = false }: ConsoleSection): string {
  const id = c.req.param('id')
  const hasPage = id !== undefined && hasSubjectPages
  return `/admin/${section}${hasPage ? `/${encodeURIComponent(id)}` : ''}`
}

function download(c: AppContext, name: string, document: unknown): Response {
  return c.body(JSON.stringify(document, undefined, 2), 200, {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}
