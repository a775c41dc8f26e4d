import { FormButton } from './form-button.tsx'
import { type ShownUser, SignedInAs } from './identity.tsx'
import type { Messages } from './messages/en.ts'

interface DeletePageProps {
  messages: Messages
  /** Whose account will be deleted. */
  user: ShownUser
  csrfToken: string
}

/** Asks for confirmation before an account is deleted permanently. */
export function DeletePage({ messages, user, csrfToken }: DeletePageProps) {
  const { deleteLead, deleteEffects, deleteAccount, keepAccount, downloadData } = messages.account
  return (
    <>
      <SignedInAs messages={messages} user={user} />
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
