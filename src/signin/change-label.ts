import type { Config } from '../config/config.ts'
import { repeatedChangeLabel } from '../http/confirmation.ts'
import { linkLabel, signInKind } from '../http/sign-in-kind.ts'
import type { Messages } from '../pages/messages/en.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import { findByDigest } from '../users/account-digest.ts'
import type { LinkedAccount } from '../users/directory.ts'

interface Change {
  /** The page of this service to which the user returns. */
  returnTo: string
  /** The accounts of the user. */
  accounts: readonly LinkedAccount[]
}

/** What the account page calls the change that a user confirms. Undefined if the address is not that of a known change. */
export async function changeLabel(
  config: Config,
  messages: Messages,
  { returnTo, accounts }: Change,
): Promise<string | undefined> {
  const { pathname, searchParams } = new URL(returnTo)
  switch (pathname) {
    case '/account':
      return repeatedChangeLabel(config, messages, searchParams)
    case '/account/delete':
      return messages.account.deleteAccount
    case '/account/disconnect': {
      const linked = await findByDigest(accounts, searchParams.get('account') ?? '')
      return linked && removalLabel(config, messages, linked)
    }
    default:
      return (
        renamingLabel(config, messages, pathname) ??
        linkLabel(config, messages, linkedProvider(config, { pathname, searchParams }))
      )
  }
}

/** What the account page calls renaming an account, if this is the page on which it is renamed. */
function renamingLabel(
  { localProviders }: Config,
  messages: Messages,
  pathname: string,
): string | undefined {
  const all = localProviders.map((provider) => signInKind(provider).renaming)
  return all.find((renaming) => renaming?.path === pathname)?.label(messages)
}

/** The id of the provider of which an account, such as an email address, is added on this page. */
function linkedProvider(
  { localProviders }: Config,
  { pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>,
): string | null {
  const local = localProviders.find((provider) => signInKind(provider).linkPath === pathname)
  if (local) return local.id
  const [, provider = null] = /^\/api\/auth\/signin\/([^/]+)$/.exec(pathname) ?? []
  return searchParams.has('link') ? provider : null
}

function removalLabel(config: Config, messages: Messages, { provider }: LinkedAccount): string {
  const local = config.localProviders.find(({ id }) => id === provider)
  const texts = local && signInKind(local).removalTexts?.(messages)
  const { name = provider } = findSignInMethod(config, provider) ?? {}
  return texts?.remove ?? messages.account.disconnect(name)
}
