import type { Config } from '../config/config.ts'
import { signInKind } from '../http/sign-in-kind.ts'
import type { RemovalTexts } from '../pages/disconnect-page.tsx'
import type { Messages } from '../pages/messages/en.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import { accountDigest } from '../users/account-digest.ts'
import type { LinkedAccount } from '../users/directory.ts'

/** An account as pages show it. */
export interface DescribedAccount extends LinkedAccount {
  /** The provider's display name. */
  provider: string
  providerId: string
  logo: string | undefined
  /** Identifies the account in addresses and forms. */
  digest: string
  removal: RemovalTexts
}

export async function describeAccount(
  config: Config,
  messages: Messages,
  linked: LinkedAccount,
): Promise<DescribedAccount> {
  const method = findSignInMethod(config, linked.provider)
  const local = config.localProviders.find(({ id }) => id === linked.provider)
  const kind = local && signInKind(local)
  const provider =
    (local && kind?.accountName?.(local, messages)) ?? method?.name ?? linked.provider
  return {
    ...linked,
    provider,
    providerId: linked.provider,
    logo: method?.style.logo,
    digest: await accountDigest(linked),
    removal: kind?.removalTexts?.(messages) ?? disconnectTexts(messages, provider),
  }
}

/** For an account at another service. */
function disconnectTexts({ account }: Messages, provider: string): RemovalTexts {
  const { title, effect, doneTitle } = account.removal
  return {
    remove: account.disconnect(provider),
    title: title(provider),
    effect: effect(provider),
    doneTitle: doneTitle(provider),
  }
}
