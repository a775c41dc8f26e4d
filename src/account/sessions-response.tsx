import type { AppContext } from '../config/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import type { AccountOverview } from '../users/user-data.ts'
import { callUserObject } from '../users/user-object.ts'
import { dateFormat } from './date-format.ts'
import { methodName } from './describe-account.ts'
import { clientName } from './describe-consents.ts'
import { type SessionRange, SessionsPage } from './sessions-page.tsx'

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
    .map(async ({ clientIds, provider, ...session }) => ({
      ...session,
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
