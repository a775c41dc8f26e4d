import type { AppContext } from '../config/app-env.ts'
import { auditOrigin } from '../http/audit.ts'
import { csrfToken } from '../http/csrf.ts'
import { addToLog } from '../http/request-log.ts'
import { confirmedAccountPath } from '../pages/account-path.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { findByDigest } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { confirmAccount, listAccounts } from '../users/linked-accounts.ts'
import type { Session } from '../users/session.ts'
import { mayConfirm, unconfirmedAccounts } from '../users/unconfirmed-accounts.ts'
import { ConfirmPage } from './confirm-page.tsx'
import { dateFormat } from './date-format.ts'
import { describeAccount } from './describe-account.ts'

/** The page that asks whether the user has added the account with this digest. */
export async function respondWithConfirmPage(
  c: AppContext,
  session: Session,
  digest: string,
): Promise<Response> {
  const linked = await findConfirmable(c, session, digest)
  // The account page says from when on it can be confirmed, if it has to be.
  if (!linked) return c.redirect('/account')
  const messages = await messagesFor(c)
  const account = await describeAccount(c.get('config'), messages, linked)
  return respondWithPage(
    c,
    <ConfirmPage
      messages={messages}
      dates={dateFormat(c, messages)}
      account={account}
      csrfToken={await csrfToken(c)}
    />,
    {
      title: messages.t('account.confirmation.title'),
      images: [account.logo],
      isRepeatable: true,
    },
  )
}

/** Confirms the account with this digest. */
export async function respondToConfirmation(
  c: AppContext,
  session: Session,
  digest: string,
): Promise<Response> {
  const linked = await findConfirmable(c, session, digest)
  if (!linked) return c.redirect('/account', 303)
  const userId = session.user.id
  const origin = auditOrigin(c, userId)
  await confirmAccount(c.env, c.get('config'), { userId, account: linked, origin })
  addToLog(c, { event: 'account_confirmed', userId, provider: linked.provider })
  return c.redirect(confirmedAccountPath('methodConfirmed'), 303)
}

/** The unconfirmed account with this digest, if this session can confirm it. */
async function findConfirmable(
  c: AppContext,
  session: Session,
  digest: string,
): Promise<LinkedAccount | undefined> {
  const accounts = await listAccounts(c.env, session.user.id)
  const linked = await findByDigest(unconfirmedAccounts(c.get('config'), accounts), digest)
  return linked && mayConfirm(session, linked) ? linked : undefined
}
