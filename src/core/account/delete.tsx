import type { Config } from '../config/config.ts'
import { emitEvent } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit.ts'
import { csrfToken } from '../http/csrf.ts'
import { addToLog } from '../http/request-log.ts'
import type { Messages } from '../messages/messages.ts'
import { ACCOUNT_SIGN_IN_PATH } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import { formatNames, formatUnit } from '../pages/format.ts'
import { type ShownUser, SignedInAs } from '../pages/identity.tsx'
import { joinScripts, messagesFor, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { clearPreference } from '../pages/preferences.ts'
import { endSession } from '../session/end-session.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import { deleteUserCompletely } from '../users/remove-user.ts'
import type { UserRecord } from '../users/user.ts'

/** The page that asks for confirmation before this user is deleted. */
export async function respondWithDeletePage(c: AppContext, user: UserRecord): Promise<Response> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const accounts = await listAccounts(c.env, user.id)
  const shownUser = toShownUser(config, user)
  return respondWithPage(
    c,
    <DeletePage
      messages={messages}
      user={shownUser}
      services={linkedServices(config, accounts)}
      notes={config.localProviders
        .filter(({ id }) => accounts.some(({ provider }) => provider === id))
        .flatMap(({ method }) => method.labels?.(messages).deletionNote ?? [])}
      retention={config.auditRetention}
      csrfToken={await csrfToken(c)}
    />,
    { title: messages.t('account.deleteAccount'), images: [shownUser.image], isRepeatable: true },
  )
}

/** Deletes the user, and confirms it to them. */
export async function respondToDeletion(c: AppContext, userId: string): Promise<Response> {
  const config = c.get('config')
  const accounts = await listAccounts(c.env, userId)
  const origin = auditOrigin(c, userId)
  const isDeleted = await deleteUserCompletely(c.env, config, { userId, origin })
  await endSession(c)
  clearPreference(c, 'provider')
  addToLog(c, { event: 'account_deleted', userId })
  if (isDeleted) emitEvent(c, 'deleteUser', { user: { id: userId }, reason: 'user' })

  const messages = await messagesFor(c)
  const parts = await Promise.all(
    config.localProviders.map(({ method }) =>
      method.removedPart?.(c, { id: userId, isDeleted: true }),
    ),
  )
  return respondWithPage(
    c,
    <>
      <DeletedPage messages={messages} providers={linkedServices(config, accounts)} />
      {parts.map((part) => part?.content)}
    </>,
    { title: messages.t('account.deletedTitle'), outcome: 'done', script: joinScripts(parts) },
  )
}

/** The names of the other services at which the user has accounts. */
function linkedServices(config: Config, accounts: readonly LinkedAccount[]): string[] {
  return enabledProviders(config)
    .filter(({ id }) => accounts.some(({ provider }) => provider === id))
    .map(({ name }) => name)
}

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
      <FormButton action="/account/delete" fields={{ csrfToken }} id="confirm-delete" isDanger>
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
