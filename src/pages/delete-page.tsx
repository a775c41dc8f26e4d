import { FormButton } from './form-button.tsx'
import { formatNames } from './format-names.ts'
import { formatUnit } from './format-unit.ts'
import { type ShownUser, SignedInAs } from './identity.tsx'
import type { Messages } from './messages/en.ts'

interface DeletePageProps {
  messages: Messages
  /** Whose account will be deleted. */
  user: ShownUser
  /** The names of the other services at which the user has accounts. */
  services: readonly string[]
  /** What the ways to sign in add to the consequences. */
  notes: readonly string[]
  /** How long security records are stored, in seconds. */
  retention: number
  csrfToken: string
}

/** Asks for confirmation before an account is deleted permanently. */
export function DeletePage(props: DeletePageProps) {
  const { messages, user, services, notes, retention, csrfToken } = props
  const { deleteLead, deletePermanently, downloadData, dataNote } = messages.account
  const { data, accounts, sessions, apps, records, later } = messages.account.deleteEffects
  const { language } = messages
  const names = formatNames(services, messages)
  const effects = [
    data,
    ...notes,
    ...(services.length > 0 ? [accounts(names)] : []),
    sessions,
    apps,
    records(formatUnit(Math.round(retention / DAY), 'day', language)),
    later,
  ]
  return (
    <>
      <SignedInAs messages={messages} user={user} />
      <p>{deleteLead}</p>
      <ul>
        {effects.map((effect) => (
          <li>{effect}</li>
        ))}
      </ul>
      <p class="note">{dataNote}</p>
      <FormButton action="/account/export" fields={{ csrfToken }} isSmall>
        {downloadData}
      </FormButton>
      <FormButton
        action="/account/delete"
        fields={{ csrfToken }}
        id="confirm-delete"
        isPrimary
        isDanger
      >
        {deletePermanently}
      </FormButton>
      <a href="/account">{messages.actions.cancel}</a>
    </>
  )
}

const DAY = 24 * 3600 // seconds

interface DeletedPageProps {
  messages: Messages
  /** The names of the services that the user could sign in with. */
  providers: readonly string[]
}

/** Confirms that the account was deleted. The other services may still know about it. */
export function DeletedPage({ messages, providers }: DeletedPageProps) {
  const { removal, deletedConnections } = messages.account
  const names = formatNames(providers, messages)
  return (
    <>
      <p>{removal.signedOut}</p>
      {providers.length > 0 && <p>{deletedConnections(names)}</p>}
      <a href="/api/auth/signin?callbackUrl=%2Faccount">{messages.actions.goToSignIn}</a>
    </>
  )
}
