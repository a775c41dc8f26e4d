import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/en.ts'

/** Asks for confirmation before an account is deleted permanently. */
export function DeletePage({ messages, csrfToken }: { messages: Messages; csrfToken: string }) {
  const { deleteLead, deleteEffects, deleteAccount, keepAccount, downloadData } = messages.account
  return (
    <>
      <p>{deleteLead}</p>
      <ul>
        {Object.values(deleteEffects).map((effect) => (
          <li>{effect}</li>
        ))}
      </ul>
      <FormButton action="/account/export" fields={{ csrfToken }}>
        {downloadData}
      </FormButton>
      <FormButton action="/account/delete" fields={{ csrfToken }} id="confirm-delete" isDanger>
        {deleteAccount}
      </FormButton>
      <a href="/account">{keepAccount}</a>
    </>
  )
}

/** Confirms that the account was deleted. */
export function DeletedPage({ messages }: { messages: Messages }) {
  return (
    <>
      <p>{messages.account.deletedText}</p>
      <a href="/api/auth/signin">{messages.actions.goToSignIn}</a>
    </>
  )
}
