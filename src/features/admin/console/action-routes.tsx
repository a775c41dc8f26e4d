import type { AppContext } from '../../../http/app-env.ts'
import { csrfToken } from '../../../http/csrf.ts'
import {
  consolePage,
  describeProblems,
  notFoundPage,
} from '../../../operations/console/console-response.tsx'
import { runOperation } from '../../../operations/console/run-operation.ts'
import type { ConsoleSection } from '../../../operations/console/section.ts'
import { HttpProblem } from '../../../operations/http-problem.ts'
import type { Operation } from '../../../operations/operation.ts'
import type { OperationDescription } from '../../../operations/operation-description.ts'
import { formatProblem } from '../../../values/problem.ts'
import { ConfirmPage, OWN_USER } from './confirm-page.tsx'

/** Where an operation is confirmed, below `/admin`. */
export function actionPath({ method, path }: OperationDescription): string {
  return method === 'delete' ? `${path}/delete` : path
}

/** An operation that administrators confirm, and its section. */
interface Action {
  operation: Operation
  section: ConsoleSection
}

/** The page that names what an operation changes, and asks for confirmation. */
export async function confirmPage(
  c: AppContext,
  { operation, section }: Action,
  problems: readonly string[] = [],
): Promise<Response> {
  const id = c.req.param('id')
  const subject = id === undefined ? undefined : await section.readSubject?.(c, id)
  if (id !== undefined && !subject) return notFoundPage(c, section.id, section.noun)
  const page = (
    <ConfirmPage
      subject={subject?.facts ?? []}
      warning={subject?.isOwn && operation.isDanger ? OWN_USER : undefined}
      operation={operation}
      action={c.req.path}
      back={pageOf(c, section)}
      problems={problems}
      csrfToken={await csrfToken(c)}
    />
  )
  const status = problems.length > 0 ? 409 : 200
  const trail = subject ? [subject.link] : []
  return consolePage(c, { section: section.id, title: operation.summary, trail, status }, page)
}

/** Runs an operation that was confirmed. */
export async function runAction(c: AppContext, action: Action): Promise<Response> {
  const { operation, section } = action
  try {
    const result = await runOperation(c, operation)
    if (operation.isDownload) return download(c, `${c.req.param('id')}.json`, result)
    const response = await section.respond?.(c, operation, result)
    if (response) return response
    const isDeletion = operation.method === 'delete'
    return c.redirect(isDeletion ? `/admin/${section.id}` : pageOf(c, section), 303)
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) {
      return notFoundPage(c, section.id, section.noun)
    }
    return confirmPage(c, action, describeProblems(error).map(formatProblem))
  }
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
