import { FormButton } from './form-button.tsx'
import { type ShownUser, SignedInAs } from './identity.tsx'
import type { Messages } from './messages/en.ts'
import { isRightToLeft } from './messages/languages.ts'

const RIGHT_TO_LEFT_MARK = '\u200f'

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

interface DeletedPageProps {
  messages: Messages
  /** The names of the services that the user could sign in with. */
  providers: readonly string[]
}

/** Confirms that the account was deleted. The other services may still know about it. */
export function DeletedPage({ messages, providers }: DeletedPageProps) {
  const { deletedText, deletedConnections } = messages.account
  const { language } = messages
  // The first name would determine the direction of the list, and so the order of the names.
  const direction = isRightToLeft(language) ? RIGHT_TO_LEFT_MARK : ''
  const names = direction + new Intl.ListFormat(language).format(providers)
  return (
    <>
      <p>{deletedText}</p>
      {providers.length > 0 && <p>{deletedConnections(names)}</p>}
      <a href="/api/auth/signin">{messages.actions.goToSignIn}</a>
    </>
  )
}
