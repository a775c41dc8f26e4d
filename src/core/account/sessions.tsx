import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import type { Messages } from '../messages/messages.ts'
import { type DateFormat, dateFormat, formatDateTime, formatNames } from '../pages/format.ts'
import { Details, Item } from '../pages/list.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { boundSessions } from '../session/bound-sessions.ts'
import type { AccountOverview } from '../users/user-data.ts'
import { callUserObject } from '../users/user-object.ts'
import { methodName } from './describe-account.ts'
import { clientName } from './describe-consents.ts'

interface SessionsPageOptions {
  userId: string
  sessionKey: string
  /** The number of sessions that other pages show. */
  from: number
}

/** A page with more of the user's sessions than the account page shows. */
export async function respondWithSessionsPage(
  c: AppContext,
  { userId, sessionKey, from }: SessionsPageOptions,
): Promise<Response> {
  const overview = await callUserObject(c.env, userId, (object) => object.readOverview(sessionKey))
  const sessions = await describeSessions(c, overview, from)
  // They may have ended since the link was shown.
  if (sessions.shown.length === 0) return c.redirect('/account')
  const messages = await messagesFor(c)
  return respondWithPage(
    c,
    <SessionsPage
      messages={messages}
      dates={dateFormat(c, messages)}
      sessions={sessions}
      csrfToken={await csrfToken(c)}
    />,
    {
      title: messages.t('account.sessionsHeading'),
      isRepeatable: true,
      isWide: true,
    },
  )
}

type ListedSession = AccountOverview['sessions'][number]

/** Nobody looks through more of them at once. */
const SESSIONS_PER_PAGE = 20

/** The sessions of a user from this one on, as many as one page shows. */
export async function describeSessions(
  c: AppContext,
  { sessions }: AccountOverview,
  from: number,
): Promise<SessionRange> {
  const messages = await messagesFor(c)
  // A link that leads to one more session would need as much room as the session.
  const isOneMore = from + SESSIONS_PER_PAGE + 1 === sessions.length
  const end = isOneMore ? sessions.length : from + SESSIONS_PER_PAGE
  const shown = currentAndNewestFirst(sessions)
    .slice(from, end)
    .map(async ({ clientIds, provider, isBound, ...session }) => ({
      ...session,
      binding: isBound && boundSessions(c)?.label(messages),
      provider: provider && methodName(c.get('config'), messages, provider),
      apps: await Promise.all(clientIds.map((id) => clientName(c, id))),
    }))
  return { shown: await Promise.all(shown), from, total: sessions.length }
}

function currentAndNewestFirst(sessions: readonly ListedSession[]): ListedSession[] {
  return sessions.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastUsedAt - a.lastUsedAt,
  )
}

/** A session as pages show it. */
export interface ShownSession extends Omit<ListedSession, 'clientIds' | 'isBound'> {
  /** The display name of what the user signed in with, if it is known. */
  provider: string | undefined
  apps: readonly string[]
  /** That it is only valid in its browser, in words. */
  binding?: string | undefined
}

/** Some of a user's sessions. */
export interface SessionRange {
  shown: readonly ShownSession[]
  /** The number of sessions that precede these. */
  from: number
  /** The number of all sessions. */
  total: number
}

interface SessionListProps {
  messages: Messages
  dates: DateFormat
  sessions: SessionRange
  /** Whether there is anything to end in other browsers. */
  mayEndOthers: boolean
  csrfToken: string
}

/** A form with sessions, each with a button that ends it, and a link to the next ones. */
export function SessionList(props: SessionListProps) {
  const { messages, dates, sessions, mayEndOthers, csrfToken } = props
  const end = sessions.from + sessions.shown.length
  return (
    <form method="post" action="/account/sessions">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <ul class="list">
        {sessions.shown.map((session) => (
          <Item
            title={session.device ?? messages.t('account.unknownBrowser')}
            subtitle={session.place && isolateTextDirection(session.place)}
            details={
              <Details
                emphasis={session.isCurrent ? messages.t('account.thisBrowser') : undefined}
                of={describeSession(session, messages, dates)}
              />
            }
          >
            {/* The button at the top of the account page ends the current one. */}
            {!session.isCurrent && (
              <button
                class="small quiet"
                type="submit"
                name="sid"
                value={session.sid}
                aria-label={`${messages.t('signOut.confirm')} (${session.device ?? messages.t('account.unknownBrowser')})`}
              >
                {messages.t('signOut.confirm')}
              </button>
            )}
          </Item>
        ))}
      </ul>
      {end < sessions.total && (
        <p>
          <a href={`/account/sessions?from=${end}`}>
            {messages.t('actions.showMore', { count: sessions.total - end })}
          </a>
        </p>
      )}
      {mayEndOthers && (
        <button type="submit" name="sid" value="others">
          {messages.t('account.endOtherSessions')}
        </button>
      )}
    </form>
  )
}

function describeSession(session: ShownSession, messages: Messages, dates: DateFormat): string[] {
  const { isCurrent, provider, authenticatedAt, lastUsedAt, apps, binding } = session
  const date = formatDateTime(authenticatedAt, dates)
  return [
    ...(binding === undefined ? [] : [binding]),
    provider
      ? messages.t('account.signedInWithOn', { provider, date })
      : messages.t('account.signedInOn', { date }),
    ...(isCurrent
      ? []
      : [messages.t('account.lastUsedOn', { date: formatDateTime(lastUsedAt, dates) })]),
    ...(apps.length > 0
      ? [messages.t('account.usedFor', { apps: formatNames(apps, messages) })]
      : []),
  ]
}

/** The sessions that follow those of the account page. */
export function SessionsPage(props: Omit<SessionListProps, 'mayEndOthers'>) {
  return (
    <>
      <SessionList {...props} mayEndOthers />
      <a href="/account">{props.messages.t('actions.goToAccount')}</a>
    </>
  )
}
