import type { AppContext } from '../../config/app-env.ts'
import { csrfToken } from '../../http/csrf.ts'
import { accountName } from '../../users/account-reference.ts'
import { toLinkedAccount } from '../../users/directory-rows.ts'
import { readUserRows } from '../../users/linked-accounts.ts'
import { readUserDetails } from '../../users/manage-users.ts'
import { toUserSummary } from '../../users/search-users.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { isObject } from '../../values/json.ts'
import { formatProblem } from '../../values/problem.ts'
import { administratorOrigin, administratorScopes } from '../authorization.ts'
import { HttpProblem } from '../http-problem.ts'
import type { Operation } from '../operation.ts'
import { readAdministratorSubject } from './administrator-routes.tsx'
import { readProviderSubject, testedPage } from './configuration.tsx'
import { ConfirmPage, OWN_USER } from './confirm-page.tsx'
import { consolePage, describeProblems, notFoundPage } from './console-page.tsx'
import { type Fact, type Section, sectionOf, type TrailLink } from './console-parts.tsx'
import {
  findKind,
  type RegistrationKind,
  readRegistration,
  registrationLink,
  secretPage,
} from './registration-routes.tsx'
import { readUnregisteredClientSubject } from './unregistered-client-routes.tsx'
import { accountFacts, sessionFacts, userFacts, userLink } from './users-pages.tsx'

/** Where an operation is confirmed, below `/admin`. */
export function actionPath({ method, path }: Operation): string {
  return method === 'delete' ? `${path}/delete` : path
}

/** The page that names what an operation changes, and asks for confirmation. */
export async function confirmPage(
  c: AppContext,
  operation: Operation,
  problems: readonly string[] = [],
): Promise<Response> {
  const section = sectionOf(operation)
  const id = c.req.param('id')
  const subject = id === undefined ? undefined : await readSubject(c, section, id)
  if (id !== undefined && !subject) return notFoundPage(c, section, subjectNoun(section))
  const page = (
    <ConfirmPage
      subject={subject?.facts ?? []}
      warning={subject?.isOwn && operation.isDanger ? OWN_USER : undefined}
      operation={operation}
      action={c.req.path}
      back={pageOf(c, section)}
      problems={problems}
      csrfToken={await csrfToken(c)}
      isDownload={isDownload(operation)}
    />
  )
  const status = problems.length > 0 ? 409 : 200
  const trail = subject ? [subject.link] : []
  return consolePage(c, { section, title: operation.summary, trail, status }, page)
}

/** What an operation changes. */
interface Subject {
  link: TrailLink
  facts: readonly Fact[]
  /** Whether it is the signed-in administrator. */
  isOwn?: boolean
}

async function readSubject(
  c: AppContext,
  section: Section,
  id: string,
): Promise<Subject | undefined> {
  if (section === 'users') return readUserSubject(c, id)
  if (section === 'administrators') return readAdministratorSubject(c)
  if (section === 'configuration') return readProviderSubject(c, id)
  if (section === 'unregistered-clients') return readUnregisteredClientSubject(c, id)
  const kind = findKind(section)
  const registration = kind && (await readRegistration(c, kind))
  if (!registration) return undefined
  const { name } = registration
  const event = c.req.param('event')
  return {
    link: registrationLink(section, registration),
    facts: [
      ['Name', name && isolateTextDirection(name)],
      [kind.store.table.idField, <code>{id}</code>],
      ['Event', event && <code>{event}</code>],
    ],
  }
}

async function readUserSubject(c: AppContext, id: string): Promise<Subject | undefined> {
  // Without the user's object, so that a user whose object does not respond can still be blocked.
  const rows = await readUserRows(c.env, id)
  if (!rows) return undefined
  const summary = toUserSummary(rows.user, [])
  const sid = c.req.param('sid')
  const client = c.req.param('client')
  return {
    link: userLink(summary),
    isOwn: id === c.get('administrator')?.id,
    facts: [
      ...userFacts(summary),
      ...(sid === undefined ? [] : await readSessionFacts(c, id, sid)),
      ['Client', client && <code>{client}</code>],
      ...rows.accounts
        .filter((row) => accountName(toLinkedAccount(row)) === c.req.param('account'))
        .flatMap(accountFacts),
    ],
  }
}

async function readSessionFacts(c: AppContext, id: string, sid: string): Promise<Fact[]> {
  const details = await readUserDetails(c.env, c.get('config'), id)
  const session = details?.sessions.find((other) => other.sid === sid)
  return session ? sessionFacts(session) : [['Session', 'has already ended']]
}

function subjectNoun(section: Section): string {
  if (section === 'administrators') return 'administrator'
  if (section === 'configuration') return 'provider'
  if (section === 'unregistered-clients') return 'unregistered client'
  return findKind(section)?.store.noun ?? 'user'
}

/** Runs an operation that was confirmed. */
export async function runAction(c: AppContext, operation: Operation): Promise<Response> {
  const section = sectionOf(operation)
  const id = c.req.param('id') ?? ''
  try {
    const result = await operation.handle({
      env: c.env,
      config: c.get('config'),
      id,
      sid: c.req.param('sid') ?? '',
      account: c.req.param('account') ?? '',
      client: c.req.param('client') ?? '',
      event: c.req.param('event') ?? '',
      query: undefined,
      body: undefined,
      scopes: administratorScopes(c),
      origin: await administratorOrigin(c),
    })
    if (isDownload(operation)) return download(c, `${id}.json`, result)
    const kind = findKind(section)
    const secret = isObject(result) && kind && result[`${kind.store.noun}_secret`]
    if (kind && typeof secret === 'string') return await newSecretPage(c, kind, { id, secret })
    if (operation.id === 'testProvider') return testedPage(c, id)
    const isDeletion = operation.method === 'delete'
    return c.redirect(isDeletion ? `/admin/${section}` : pageOf(c, section), 303)
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) {
      return notFoundPage(c, section, subjectNoun(section))
    }
    return confirmPage(c, operation, describeProblems(error).map(formatProblem))
  }
}

async function newSecretPage(
  c: AppContext,
  kind: RegistrationKind,
  { id, secret }: { id: string; secret: string },
): Promise<Response> {
  const section = kind.store.table.name
  // The secret is shown even if its client cannot be read again.
  const subject = await readSubject(c, section, id).catch(() => undefined)
  const link = subject?.link ?? registrationLink(section, { id, name: id })
  return secretPage(c, kind, { id, secret, link, isReplacement: true })
}

/** The page of what an operation is about. */
function pageOf(c: AppContext, section: Section): string {
  const id = c.req.param('id')
  const hasNoPage = ['administrators', 'configuration', 'unregistered-clients'].includes(section)
  const hasPage = id !== undefined && !hasNoPage
  return `/admin/${section}${hasPage ? `/${encodeURIComponent(id)}` : ''}`
}

function isDownload({ id }: Operation): boolean {
  return id === 'exportUser'
}

function download(c: AppContext, name: string, document: unknown): Response {
  return c.body(JSON.stringify(document, undefined, 2), 200, {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}
