import { requireStorage } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { signInKind } from '../http/sign-in-kind.ts'
import { DeletePage } from '../pages/delete-page.tsx'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { listAccounts } from '../users/directory.ts'

/** The page that asks for confirmation before this user is deleted. */
export async function respondWithDeletePage(c: AppContext, userId: string): Promise<Response> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const accounts = await requireStorage(async () => listAccounts(c.env, userId))
  const isLinked = ({ id }: { id: string }) => accounts.some(({ provider }) => provider === id)
  return respondWithPage(
    c,
    <DeletePage
      messages={messages}
      services={enabledProviders(config)
        .filter(isLinked)
        .map(({ name }) => name)}
      notes={config.localProviders
        .filter(isLinked)
        .flatMap((provider) => signInKind(provider).deletionNote?.(messages) ?? [])}
      retention={config.auditRetention}
      csrfToken={await csrfToken(c)}
    />,
    { title: messages.account.deleteAccount, isRepeatable: true },
  )
}
