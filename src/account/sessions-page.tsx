import type { Messages } from '../messages/messages.ts'
import { type DateFormat, formatDateTime, formatNames } from '../pages/format.ts'
import { Details, Item } from '../pages/list.tsx'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'

/** A session as pages show it. */
export interface ShownSession {
  sid: string
  /** Whether this is the session of the browser that shows the page. */
  isCurrent: boolean
  device: string | undefined
  place: string | undefined
  /** The display name of what the user signed in with, if it is known. */
  provider: string | undefined
  authenticatedAt: number
  lastUsedAt: number
  apps: readonly string[]
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
  const { isCurrent, provider, authenticatedAt, lastUsedAt, apps } = session
  const date = formatDateTime(authenticatedAt, dates)
  return [
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
