import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { dateFormat } from '../http/date-format.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { SessionsPage } from '../pages/sessions-page.tsx'
import { callUserObject } from '../users/user-object.ts'
import { describeSessions } from './describe-sessions.ts'

interface SessionsPageOptions {
  userId: string
  secretDigest: string
  /** The number of sessions that other pages show. */
  from: number
}

/** A page with more of the user's sessions than the account page shows. */
export async function respondWithSessionsPage(
  c: AppContext,
  { userId, secretDigest, from }: SessionsPageOptions,
): Promise<Response> {
  const overview = await callUserObject(c.env, userId, (object) =>
    object.readOverview(secretDigest),
  )
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
