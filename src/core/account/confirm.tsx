import type { AppContext } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit.ts'
import { csrfToken } from '../http/csrf.ts'
import { addToLog } from '../http/request-log.ts'
import type { Messages } from '../messages/messages.ts'
import { confirmedAccountPath } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import { type DateFormat, dateFormat, formatDateTime } from '../pages/format.ts'
import { listEntry } from '../pages/list.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { addEmail } from '../session/add-email.ts'
import { findByDigest } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { confirmAccount, listAccounts } from '../users/linked-accounts.ts'
import type { Session } from '../users/session.ts'
import { mayConfirm, unconfirmedAccounts } from '../users/unconfirmed-accounts.ts'
import { type DescribedAccount, describeAccount } from './describe-account.ts'
import { AccountRow } from './disconnect.tsx'

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
  if (linked.verifiedEmail) await addEmail(c, session)
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

/** The page on which users confirm an account that was added without proof. */
export const CONFIRM_PATH = '/account/confirm'

interface ConfirmPageProps {
  messages: Messages
  dates: DateFormat
  account: DescribedAccount
  csrfToken: string
}

/** Asks whether the user has added an account themselves. */
export function ConfirmPage({ messages, dates, account, csrfToken }: ConfirmPageProps) {
  const { digest, linkedAt, removal } = account
  const addedOn = messages.t('account.addedOn', { date: formatDateTime(linkedAt, dates) })
  return (
    <>
      <AccountRow account={account} />
      <ul>
        <li>{listEntry(addedOn, messages.language)}</li>
        <li>{messages.t('account.confirmation.effect')}</li>
      </ul>
      <FormButton
        action={CONFIRM_PATH}
        fields={{ account: digest, csrfToken }}
        id="confirm-method"
        isPrimary
      >
        {messages.t('account.confirmation.confirm')}
      </FormButton>
      <a class="danger" href={`/account/disconnect?account=${digest}`}>
        {removal.remove}
      </a>
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
