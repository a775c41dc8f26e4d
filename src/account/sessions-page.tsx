import type { Messages } from '../messages/messages.ts'
import type { DateFormat } from '../pages/format.ts'
import { SessionList, type SessionRange } from './session-list.tsx'

interface SessionsPageProps {
  messages: Messages
  dates: DateFormat
  sessions: SessionRange
  csrfToken: string
}

/** The sessions that follow those of the account page. */
export function SessionsPage(props: SessionsPageProps) {
  return (
    <>
      <SessionList {...props} mayEndOthers />
      <a href="/account">{props.messages.t('actions.goToAccount')}</a>
    </>
  )
}
