import type { Messages } from '../messages/messages.ts'
import { FormButton } from '../pages/form-button.tsx'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'

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
        isPrimary
        isDanger
      >
        {messages.t('account.withdrawConsent')}
      </FormButton>
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
