import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { Config } from '../config/config.ts'
import type { MethodLabels, RemovalTexts } from '../config/feature.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import type { Messages } from '../messages/messages.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import { accountDigest } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import type { MethodChange } from '../users/method-changes.ts'

/** An account as pages show it. */
export interface DescribedAccount {
  /** Identifies the account in URLs and forms. */
  digest: string
  /** The provider's display name. */
  provider: string
  providerId: string
  /** The URL of the provider's logo. */
  logo: string | undefined
  /** The user's name at the provider. */
  label: string | undefined
  linkedAt: number
  removal: RemovalTexts
}

export async function describeAccount(
  config: Config,
  messages: Messages,
  linked: LinkedAccount,
): Promise<DescribedAccount> {
  const { provider: providerId, label, linkedAt } = linked
  const provider = providerName(config, messages, providerId)
  return {
    digest: await accountDigest(linked),
    provider,
    providerId,
    logo: findSignInMethod(config, providerId)?.style.logo,
    label,
    linkedAt,
    removal: methodLabels(config, messages, providerId).removal ?? removalTexts(messages, provider),
  }
}

/** The texts for an account at another service with this display name. */
export function removalTexts(messages: Messages, provider: string): RemovalTexts {
  return {
    remove: messages.t('account.disconnect', { provider }),
    title: messages.t('account.removal.title', { provider }),
    effect: messages.t('account.removal.effect', { provider }),
    doneTitle: messages.t('account.removal.doneTitle', { provider }),
  }
}

/** What messages and lists call an account: its provider and, if it has one, its name. */
export function accountTitle(
  config: Config,
  messages: Messages,
  { provider, label, title }: Pick<MethodChange, 'provider' | 'label' | 'title'>,
): string {
  if (title !== undefined) return title
  const name = providerName(config, messages, provider)
  return label ? `${name} (${isolateTextDirection(label)})` : name
}

/** What pages say about a local method; nothing about other providers. */
export function methodLabels(config: Config, messages: Messages, id: string): MethodLabels {
  return findLocalProvider(config, id)?.method.labels?.(messages) ?? {}
}

/** What lists of accounts call the provider with this id. */
function providerName(config: Config, messages: Messages, id: string): string {
  return methodLabels(config, messages, id).account ?? nameOf(config, id)
}

/** What sentences such as “Sign in with …” call the provider with this id. */
export function methodName(config: Config, messages: Messages, id: string): string {
  return methodLabels(config, messages, id).method ?? nameOf(config, id)
}

/** The names of these accounts' methods for use in sentences, without duplicates. */
export function methodNames(
  config: Config,
  messages: Messages,
  accounts: readonly LinkedAccount[],
): string[] {
  return [...new Set(accounts.map(({ provider }) => methodName(config, messages, provider)))]
}

/** The provider's name, or its id if it is no longer configured. */
function nameOf(config: Config, id: string): string {
  return findSignInMethod(config, id)?.name ?? id
}
