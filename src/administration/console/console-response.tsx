import type { Child } from 'hono/jsx'
import type { AppContext } from '../../core/http/app-env.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import { chooseLanguage } from '../../core/messages/choose.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { Notice } from '../../core/pages/notice.tsx'
import { respondWithPage } from '../../core/pages/page-response.tsx'
import { withoutLayout } from '../../core/pages/stylesheet.ts'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { HttpProblem, requireFound } from '../http-problem.ts'
import { RotationTooEarlyError } from '../rotation-too-early-error.ts'
import type { ConsoleLink } from './administrator.ts'
import {
  ConsoleHeader,
  type CountedSection,
  NotFoundPage,
  type TrailLink,
} from './console-parts.tsx'
import consoleScript from './console-script.txt'
import { Documentation } from './document-name.tsx'
import { ifReadable } from './if-readable.ts'
import { takeNotice } from './notice.ts'
import { CONSOLE_RULES } from './stylesheet.ts'
import { readTimeZone } from './time-zone.ts'
import { TimeZone } from './times.tsx'
import { UndoButton } from './undo-button.tsx'

interface ConsolePageOptions {
  section: string
  title: string
  /** The pages above this one, without the section. Absent on the main page of a section. */
  trail?: readonly TrailLink[]
  /** Contains the heading of a page that has more in it than the title. */
  heading?: Child
  /** What was searched for. */
  query?: string
  /** What the page says above its content, instead of what has just been changed. */
  notice?: string | undefined
  /** The URLs of pictures and logos. */
  images?: readonly (string | undefined)[]
  /** Runs after the script of all pages. */
  script?: string
  /** Whether its script sends requests to the service. */
  connects?: boolean
  /** Whether it shows another page of the console. */
  hasFrame?: boolean | undefined
  status?: number
}

/** Responds with a page of the console. They exist in English only. */
export async function consolePage(
  c: AppContext,
  {
    section,
    title,
    trail,
    heading,
    query,
    notice: text,
    images = [],
    script = '',
    connects,
    hasFrame,
    status = 200,
  }: ConsolePageOptions,
  page: Child,
): Promise<Response> {
  const administrator = requireFound(c.get('administrator'))
  const notice = text === undefined ? await takeNotice(c) : { text, undo: undefined }
  const timeZone = readTimeZone(c)
  const content = (
    <Documentation.Provider value={administrator.documentation}>
      <TimeZone.Provider value={timeZone}>
        {notice && (
          <Notice
            text={notice.text}
            button={notice.undo && <UndoButton {...notice.undo} csrfToken={await csrfToken(c)} />}
          />
        )}
        {page}
      </TimeZone.Provider>
    </Documentation.Provider>
  )
  return respondWithPage(c, content, {
    title,
    status,
    css: withoutLayout(CONSOLE_RULES),
    script: consoleScript + script,
    connects,
    heading: heading && <TimeZone.Provider value={timeZone}>{heading}</TimeZone.Provider>,
    images,
    frame: hasFrame ? 'contains' : undefined,
    messages: await englishMessages(c),
    header: (
      <ConsoleHeader
        section={section}
        serviceName={c.get('config').serviceName}
        administrator={administrator}
        sections={await countSections(c, administrator.sections)}
        trail={trail}
        query={query}
        timeZone={timeZone}
      />
    ),
  })
}

/** The console exists in English only, which is the default language of every deployment. */
export function englishMessages(c: AppContext): Promise<Messages> {
  return chooseLanguage(c.get('config').languages).loadMessages()
}

function countSections(c: AppContext, sections: readonly ConsoleLink[]): Promise<CountedSection[]> {
  return Promise.all(
    sections.map(async ({ readCount, ...section }) => ({
      ...section,
      count: readCount && (await ifReadable(readCount(c))),
    })),
  )
}

/** For administrators, the console has its own page for an id that does not exist. */
export function notFoundPage(c: AppContext, section: string, noun: string): Promise<Response> {
  const page = <NotFoundPage section={section} noun={noun} />
  return consolePage(c, { section, title: 'Not found', trail: [], status: 404 }, page)
}

/** What the administrator can correct; anything else is thrown again. */
export function describeProblems(error: unknown): readonly Problem[] {
  if (error instanceof RegistrationError) return error.problems
  const isRefusal = error instanceof HttpProblem && [403, 409].includes(error.status)
  if (error instanceof RotationTooEarlyError || isRefusal) {
    return [{ path: [], code: 'invalid', message: error.message }]
  }
  throw error
}
