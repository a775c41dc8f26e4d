import { Details } from './details.tsx'
import { type DateFormat, formatDateTime } from './format-date.ts'
import { formatNames } from './format-names.ts'
import { isolateTextDirection } from './isolate-text-direction.ts'
import { Item } from './list.tsx'
import type { Messages } from './messages/en.ts'

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
  const texts = messages.account
  const end = sessions.from + sessions.shown.length
  return (
    <form method="post" action="/account/sessions">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <ul class="list">
        {sessions.shown.map((session) => (
          <Item
            title={session.device ?? texts.unknownBrowser}
            subtitle={session.place && isolateTextDirection(session.place)}
            details={
              <Details
                emphasis={session.isCurrent ? texts.thisBrowser : undefined}
                of={describeSession(session, messages, dates)}
              />
            }
          >
            {/* The button at the top of the account page ends the current one. */}
            {!session.isCurrent && (
              <button class="small" type="submit" name="sid" value={session.sid}>
                {messages.signOut.confirm}
              </button>
            )}
          </Item>
        ))}
      </ul>
      {end < sessions.total && (
        <p>
          <a href={`/account/sessions?from=${end}`}>
            {messages.actions.showMore((sessions.total - end).toLocaleString(messages.language))}
          </a>
        </p>
      )}
      {mayEndOthers && (
        <button type="submit" name="sid" value="others">
          {texts.endOtherSessions}
        </button>
      )}
    </form>
  )
}

function describeSession(session: ShownSession, messages: Messages, dates: DateFormat): string[] {
  const { isCurrent, provider, authenticatedAt, lastUsedAt, apps } = session
  const { signedInOn, lastUsedOn, usedFor } = messages.account
  return [
    signedInOn(formatDateTime(authenticatedAt, dates), provider),
    ...(isCurrent ? [] : [lastUsedOn(formatDateTime(lastUsedAt, dates))]),
    ...(apps.length > 0 ? [usedFor(formatNames(apps, messages))] : []),
  ]
}
