import { FormButton } from './form-button.tsx'
import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

interface WithdrawPageProps {
  messages: Messages
  app: { clientId: string; name: string }
  csrfToken: string
}

/** Asks for confirmation before an app loses its access. */
export function WithdrawPage({ messages, app, csrfToken }: WithdrawPageProps) {
  const { withdrawal, withdrawConsent } = messages.account
  return (
    <>
      <ul>
        <li>{withdrawal.effect(isolateTextDirection(app.name))}</li>
        <li>{withdrawal.later}</li>
      </ul>
      <FormButton
        action="/account/consents"
        fields={{ client_id: app.clientId, csrfToken }}
        id="confirm-withdrawal"
        isPrimary
        isDanger
      >
        {withdrawConsent}
      </FormButton>
      <a href="/account">{messages.actions.goBack}</a>
    </>
  )
}
