import type { AppContext } from '../config/app-env.ts'
import { findPasskeyProvider } from '../config/local-providers.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { requireStorage } from '../storage/unavailable-error.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { listAccounts } from '../users/directory.ts'
import { PASSKEY_PROVIDER } from '../users/passkeys.ts'
import type { UserRecord } from '../users/user.ts'
import { DeletedPage, DeletePage } from './delete-page.tsx'

/** The page that asks for confirmation before this user is deleted. */
export async function respondWithDeletePage(c: AppContext, user: UserRecord): Promise<Response> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const accounts = await requireStorage(async () => listAccounts(c.env, user.id))
  const shownUser = toShownUser(config, user)
  const isLinked = ({ id }: { id: string }) => accounts.some(({ provider }) => provider === id)
  return respondWithPage(
    c,
    <DeletePage
      messages={messages}
      user={shownUser}
      services={enabledProviders(config)
        .filter(isLinked)
        .map(({ name }) => name)}
      hasPasskeys={isLinked({ id: PASSKEY_PROVIDER })}
      retention={config.auditRetention}
      csrfToken={await csrfToken(c)}
    />,
    { title: messages.t('account.deleteAccount'), images: [shownUser.image], isRepeatable: true },
  )
}

/** Confirms to the user that they were deleted. */
export async function respondToDeletion(
  c: AppContext,
  userId: string,
  /** The names of the services that the user could sign in with. */
  services: readonly string[],
): Promise<Response> {
  const messages = await messagesFor(c)
  const passkeys = findPasskeyProvider(c.get('config'))
  const part = await passkeys?.method.removedPart(c, { id: userId, isDeleted: true })
  return respondWithPage(
    c,
    <>
      <DeletedPage messages={messages} providers={services} />
      {part?.content}
    </>,
    { title: messages.t('account.deletedTitle'), script: part?.script },
  )
}
