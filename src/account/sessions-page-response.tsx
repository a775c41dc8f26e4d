import type { AppContext } from '../config/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { callUserObject } from '../users/user-object.ts'
import { dateFormat } from './date-format.ts'
import { describeSessions } from './describe-sessions.ts'
import { SessionsPage } from './sessions-page.tsx'

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
