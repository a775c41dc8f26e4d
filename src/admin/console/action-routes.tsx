import type { AppContext } from '../../config/app-env.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { csrfToken } from '../../http/csrf.ts'
import { requireStorage } from '../../storage/unavailable-error.ts'
import { readUserRows } from '../../users/directory.ts'
import { readUserDetails } from '../../users/manage-users.ts'
import { toUserSummary } from '../../users/search-users.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { formatProblem } from '../../values/problem.ts'
import type { Action } from '../actions.ts'
import { administratorOrigin } from '../authorization.ts'
import { ConfirmPage } from './confirm-page.tsx'
import { consolePage, describeProblems, notFoundPage } from './console-page.tsx'
import type { Fact, Section, TrailLink } from './console-parts.tsx'
import {
  REGISTRATION_KINDS,
  readRegistration,
  registrationLink,
  secretPage,
} from './registration-routes.tsx'
import { sessionFacts, userFacts, userLink } from './users-pages.tsx'

/** The page that names what an action changes, and asks for confirmation. */
export async function confirmPage(
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
  const registration = await readRegistration(c, REGISTRATION_KINDS[section])
  if (!registration) return undefined
  const { name } = registration
  return {
    link: registrationLink(section, registration),
    facts: [
      ['Name', name && isolateTextDirection(name)],
      [REGISTRATION_KINDS[section].store.table.idField, <code>{id}</code>],
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
  const details = await readUserDetails(c.env, id)
  const session = details?.sessions.find((other) => other.sid === sid)
  return session ? sessionFacts(session) : [['Session', 'has already ended']]
}

function subjectNoun(section: Section): string {
  return section === 'clients' || section === 'apis'
    ? REGISTRATION_KINDS[section].store.noun
    : 'user'
}

/** Runs an action that was confirmed. */
export async function runAction(c: AppContext, action: Action): Promise<Response> {
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
    const { secret } = result
    // The secret is shown even if its client cannot be read again.
    const subject = await readSubject(c, section, id).catch(() => undefined)
    const link = subject?.link ?? registrationLink(section, { id, name: id })
    return await secretPage(c, REGISTRATION_KINDS.clients, {
      id,
      secret,
      link,
      isReplacement: true,
    })
  } catch (error) {
    return confirmPage(c, action, describeProblems(error).map(formatProblem))
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
