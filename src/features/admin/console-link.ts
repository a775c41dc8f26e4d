import type { AppContext } from '../../core/http/app-env.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { PageLink } from '../../core/pages/page-part.ts'
import type { en } from './texts.ts'
import { readRole } from './users/administrators.ts'

/** Leads administrators from their account page to the console. Others do not learn of it. */
export async function consoleLink(
  c: AppContext,
  { messages, userId }: { messages: Messages; userId: string },
): Promise<PageLink | undefined> {
  const role = await readRole(c.env, c.get('config'), userId)
  return (
    role && { path: '/admin', label: withTexts<typeof en>(messages).t('account.administration') }
  )
}
