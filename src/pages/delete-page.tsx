import { FormButton } from './form-button.tsx'
import { formatUnit } from './format-unit.ts'
import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

interface DeletePageProps {
  messages: Messages
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
  const { messages, services, notes, retention, csrfToken } = props
  const { deleteLead, deletePermanently, keepAccount, downloadData, dataNote } = messages.account
  const { data, accounts, sessions, apps, records, later } = messages.account.deleteEffects
  const { language } = messages
  const names = new Intl.ListFormat(language).format(services.map(isolateTextDirection))
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
      <a href="/account">{keepAccount}</a>
    </>
  )
}

const DAY = 24 * 3600 // seconds

/** Confirms that the account was deleted. */
export function DeletedPage({ messages }: { messages: Messages }) {
  return (
    <>
      <p>{messages.account.deletedText}</p>
      <a href="/api/auth/signin">{messages.actions.goToSignIn}</a>
    </>
  )
}
