import type { Config } from '../config/config.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import type { Messages } from '../messages/messages.ts'
import type { RemovalTexts } from '../pages/removal-texts.ts'
import { signInKind } from '../pages/sign-in-kind.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import { accountDigest } from '../users/account-digest.ts'
import type { LinkedAccount } from '../users/directory.ts'

/** An account as pages show it. */
export interface DescribedAccount extends LinkedAccount {
  /** The provider's display name. */
  provider: string
  providerId: string
  /** The address of the provider's logo. */
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
  const local = findLocalProvider(config, linked.provider)
  const provider =
    (local && signInKind(local).accountName?.(local, messages)) ?? nameOf(config, linked.provider)
  return {
    ...linked,
    provider,
    providerId: linked.provider,
    logo: findSignInMethod(config, linked.provider)?.style.logo,
    digest: await accountDigest(linked),
    removal:
      (local && signInKind(local).removalTexts?.(messages)) ?? disconnectTexts(messages, provider),
  }
}

/** What sentences such as “Sign in with …” call the provider with this id. */
export function methodName(config: Config, messages: Messages, id: string): string {
  const local = findLocalProvider(config, id)
  return (local && signInKind(local).methodName?.(local, messages)) ?? nameOf(config, id)
}

/** The provider's name, or its id if it is no longer configured. */
function nameOf(config: Config, id: string): string {
  return findSignInMethod(config, id)?.name ?? id
}

/** For an account at another service. */
function disconnectTexts(messages: Messages, provider: string): RemovalTexts {
  return {
    remove: messages.t('account.disconnect', { provider }),
    title: messages.t('account.removal.title', { provider }),
    effect: messages.t('account.removal.effect', { provider }),
    doneTitle: messages.t('account.removal.doneTitle', { provider }),
  }
}
