import type { AppContext } from '../config/app-env.ts'
import type { Config } from '../config/config.ts'
import { emitEvent } from '../http/after-response.ts'
import { auditOrigin } from '../http/audit.ts'
import { csrfToken } from '../http/csrf.ts'
import { addToLog } from '../http/request-log.ts'
import { joinScripts, messagesFor, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { clearPreference } from '../pages/preferences.ts'
import { endSession } from '../session/end-session.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import { deleteUserCompletely } from '../users/manage-users.ts'
import type { UserRecord } from '../users/user.ts'
import { DeletedPage, DeletePage } from './delete-page.tsx'

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
        .flatMap(({ method }) => method.deletionNote?.(messages) ?? [])}
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
    { title: messages.t('account.deletedTitle'), script: joinScripts(parts) },
  )
}

/** The names of the other services at which the user has accounts. */
function linkedServices(config: Config, accounts: readonly LinkedAccount[]): string[] {
  return enabledProviders(config)
    .filter(({ id }) => accounts.some(({ provider }) => provider === id))
    .map(({ name }) => name)
}
