import type { AppContext } from '../config/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { findClient } from '../registrations/find-client.ts'
import { callUserObject } from '../users/user-object.ts'
import { WithdrawPage } from './withdraw-page.tsx'

interface WithdrawPageOptions {
  userId: string
  secretDigest: string
  clientId: string
}

/** The page that asks for confirmation before the app with this id loses its access. */
export async function respondWithWithdrawPage(
  c: AppContext,
  { userId, secretDigest, clientId }: WithdrawPageOptions,
): Promise<Response> {
  const { consents } = await callUserObject(c.env, userId, (object) =>
    object.readOverview(secretDigest),
  )
  // It may have lost its access since the link was shown.
  if (!consents.some((consent) => consent.clientId === clientId)) return c.redirect('/account')
  const client = await findClient(c.env, c.get('config'), clientId)
  const name = client?.client_name ?? clientId
  const messages = await messagesFor(c)
  return respondWithPage(
    c,
    <WithdrawPage messages={messages} app={{ clientId, name }} csrfToken={await csrfToken(c)} />,
    {
      title: messages.t('account.withdrawal.title', { app: name }),
      client,
      isRepeatable: true,
    },
  )
}
