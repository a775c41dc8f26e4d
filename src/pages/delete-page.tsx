import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/choose.ts'

/** Asks before an account is deleted for good. */
export function DeletePage({ messages, csrfToken }: { messages: Messages; csrfToken: string }) {
  const words = messages.account
  return (
    <>
      <p>{words.removeLead}</p>
      <FormButton action="/account/delete" fields={{ csrfToken }} id="confirm-delete">
        {words.remove}
      </FormButton>
      <a href="/account">{words.keep}</a>
    </>
  )
}

export function DeletedPage({ messages }: { messages: Messages }) {
  return <p>{messages.account.removedLead}</p>
}
