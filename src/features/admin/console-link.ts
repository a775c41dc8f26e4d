import type { AppContext } from '../../core/http/app-env.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { AccountPart } from '../../core/pages/page-part.ts'
import type { SignedInUser } from '../../core/session/feature-members.ts'
import type { en } from './texts.ts'
import { readRole } from './users/administrators.ts'

/** Leads administrators from their account page to the console. Others do not learn of it. */
export async function consoleLink(
  c: AppContext,
  { user }: SignedInUser,
  messages: Messages,
): Promise<AccountPart | undefined> {
  const role = await readRole(c.env, c.get('config'), user.id)
  const label = withTexts<typeof en>(messages).t('account.administration')
  return role && { link: { path: '/admin', label } }
}
