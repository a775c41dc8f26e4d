import type { AppContext } from '../config/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { scriptOf, signInKind } from '../pages/sign-in-kind.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { listAccounts } from '../users/directory.ts'
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
      notes={config.localProviders
        .filter(isLinked)
        .flatMap((provider) => signInKind(provider).deletionNote?.(messages) ?? [])}
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
  const { localProviders } = c.get('config')
  const found = await Promise.all(
    localProviders.map((provider) =>
      signInKind(provider).removedPart?.(c, { id: userId, isDeleted: true }),
    ),
  )
  const parts = found.filter((part) => part !== undefined)
  return respondWithPage(
    c,
    <>
      <DeletedPage messages={messages} providers={services} />
      {parts.map(({ content }) => content)}
    </>,
    { title: messages.t('account.deletedTitle'), script: scriptOf(parts) },
  )
}
