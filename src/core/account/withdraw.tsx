import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import type { Messages } from '../messages/messages.ts'
import { FormButton } from '../pages/form-button.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { findClient } from '../registrations/find-client.ts'
import { callUserObject } from '../users/user-object.ts'

interface WithdrawPageOptions {
  userId: string
  sessionKey: string
  clientId: string
}

/** The page that asks for confirmation before the app with this id loses its access. */
export async function respondWithWithdrawPage(
  c: AppContext,
  { userId, sessionKey, clientId }: WithdrawPageOptions,
): Promise<Response> {
  const { consents } = await callUserObject(c.env, userId, (object) =>
    object.readOverview(sessionKey),
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

interface WithdrawPageProps {
  messages: Messages
  app: { clientId: string; name: string }
  csrfToken: string
}

/** Asks for confirmation before an app loses its access. */
export function WithdrawPage({ messages, app, csrfToken }: WithdrawPageProps) {
  return (
    <>
      <ul>
        <li>{messages.t('account.withdrawal.effect', { app: isolateTextDirection(app.name) })}</li>
        <li>{messages.t('account.withdrawal.later')}</li>
      </ul>
      <FormButton
        action="/account/consents"
        fields={{ client_id: app.clientId, csrfToken }}
        id="confirm-withdrawal"
        isDanger
      >
        {messages.t('account.withdrawConsent')}
      </FormButton>
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
