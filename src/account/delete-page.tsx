import type { Messages } from '../messages/messages.ts'
import { ACCOUNT_SIGN_IN_PATH } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import { formatNames, formatUnit } from '../pages/format.ts'
import { type ShownUser, SignedInAs } from '../pages/identity.tsx'

interface DeletePageProps {
  messages: Messages
  /** Whose account will be deleted. */
  user: ShownUser
  /** The names of the other services at which the user has accounts. */
  services: readonly string[]
  /** What happens to accounts that only this service has. */
  notes: readonly string[]
  /** How long security records are stored, in seconds. */
  retention: number
  csrfToken: string
}

/** Asks for confirmation before an account is deleted permanently. */
export function DeletePage(props: DeletePageProps) {
  const { messages, user, services, notes, retention, csrfToken } = props
  const { language } = messages
  const names = formatNames(services, messages)
  const effects = [
    messages.t('account.deleteEffects.data'),
    ...notes,
    ...(services.length > 0
      ? [messages.t('account.deleteEffects.accounts', { services: names })]
      : []),
    messages.t('account.deleteEffects.sessions'),
    messages.t('account.deleteEffects.apps'),
    messages.t('account.deleteEffects.records', {
      duration: formatUnit(Math.round(retention / DAY), 'day', language),
    }),
    messages.t('account.deleteEffects.later'),
  ]
  return (
    <>
      <SignedInAs messages={messages} user={user} />
      <p>{messages.t('account.deleteLead')}</p>
      <ul>
        {effects.map((effect) => (
          <li>{effect}</li>
        ))}
      </ul>
      <p class="note">{messages.t('account.dataNote')}</p>
      <FormButton action="/account/export" fields={{ csrfToken }} isSmall isDownload>
        {messages.t('account.downloadData')}
      </FormButton>
      <FormButton
        action="/account/delete"
        fields={{ csrfToken }}
        id="confirm-delete"
        isPrimary
        isDanger
      >
        {messages.t('account.deletePermanently')}
      </FormButton>
      <a href="/account">{messages.t('actions.cancel')}</a>
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
  const names = formatNames(providers, messages)
  return (
    <>
      <p>{messages.t('account.removal.signedOut')}</p>
      {providers.length > 0 && (
        <p>{messages.t('account.deletedConnections', { providers: names })}</p>
      )}
      <a href={ACCOUNT_SIGN_IN_PATH}>{messages.t('actions.goToSignIn')}</a>
    </>
  )
}
