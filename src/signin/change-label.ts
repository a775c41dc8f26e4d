import { LINK_PATH } from '../account/account-link.ts'
import type { Config } from '../config/config.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import type { Messages } from '../messages/messages.ts'
import { repeatedChangeLabel } from '../pages/account-path.ts'
import { signInKind } from '../pages/sign-in-kind.ts'
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
      return repeatedChangeLabel(messages, searchParams)
    case LINK_PATH:
      return messages.t('account.addMethod')
    case '/account/consents':
      return messages.t('account.withdrawConsent')
    case '/account/delete':
      return messages.t('account.deleteAccount')
    case '/account/disconnect': {
      const linked = await findByDigest(accounts, searchParams.get('account') ?? '')
      return linked && removalLabel(config, messages, linked)
    }
    default:
      return localLabel(config, messages, pathname)
  }
}

/** What the account page calls the change that a provider of this service makes on a page of its own. */
function localLabel(
  { localProviders }: Config,
  messages: Messages,
  pathname: string,
): string | undefined {
  for (const provider of localProviders) {
    const { renaming, linkPath, linkLabel } = signInKind(provider)
    if (renaming?.path === pathname) return renaming.label(messages)
    if (linkPath === pathname) return linkLabel(provider, messages, false)
  }
  return undefined
}

function removalLabel(config: Config, messages: Messages, { provider }: LinkedAccount): string {
  const local = findLocalProvider(config, provider)
  const texts = local && signInKind(local).removalTexts?.(messages)
  const { name = provider } = findSignInMethod(config, provider) ?? {}
  return texts?.remove ?? messages.t('account.disconnect', { provider: name })
}
