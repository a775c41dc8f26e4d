import type { Config } from '../config/config.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import type { Messages } from '../messages/messages.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import { accountDigest } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import type { MethodChange } from '../users/method-changes.ts'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'
import { type RemovalTexts, removalTexts } from './removal-texts.ts'

/** An account as pages show it. */
export interface DescribedAccount extends LinkedAccount {
  /** The provider's display name. */
  provider: string
  providerId: string
  /** The URL of the provider's logo. */
  logo: string | undefined
  /** Identifies the account in URLs and forms. */
  digest: string
  removal: RemovalTexts
}

export async function describeAccount(
  config: Config,
  messages: Messages,
  linked: LinkedAccount,
): Promise<DescribedAccount> {
  const local = findLocalProvider(config, linked.provider)
  const provider = local?.method.accountName?.(local, messages) ?? nameOf(config, linked.provider)
  return {
    ...linked,
    provider,
    providerId: linked.provider,
    logo: findSignInMethod(config, linked.provider)?.style.logo,
    digest: await accountDigest(linked),
    removal: removalTexts(messages, local?.type, provider),
  }
}

/** What messages and lists call an account: its provider and, if it has one, its name. */
export function accountTitle(
  config: Config,
  messages: Messages,
  { provider: id, label }: Pick<MethodChange, 'provider' | 'label'>,
): string {
  const local = findLocalProvider(config, id)
  const name = local?.method.accountName?.(local, messages) ?? nameOf(config, id)
  return label ? `${name} (${isolateTextDirection(label)})` : name
}

/** What sentences such as “Sign in with …” call the provider with this id. */
export function methodName(config: Config, messages: Messages, id: string): string {
  const local = findLocalProvider(config, id)
  return local?.method.methodName?.(local, messages) ?? nameOf(config, id)
}

/** The provider's name, or its id if it is no longer configured. */
function nameOf(config: Config, id: string): string {
  return findSignInMethod(config, id)?.name ?? id
}
