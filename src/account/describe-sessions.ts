import type { AppContext } from '../config/app-env.ts'
import { messagesFor } from '../pages/page-response.tsx'
import type { AccountOverview } from '../users/user-data.ts'
import { clientName } from './client-name.ts'
import { methodName } from './describe-account.ts'
import type { SessionRange } from './session-list.tsx'

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
